import type { RecordedRequest } from "../recorded-request.ts"
import { httpError } from "./http-error.ts"
import type { Reply } from "./reply.ts"

/** Chooses by looking at the request. `index` counts accepted requests from 0; `undefined` means the script ran out. */
export type ChooseReply = (request: RecordedRequest, index: number) => Reply | undefined | Promise<Reply | undefined>

/** The function form of a list of replies: one after the other, from the start again with `repeat`. */
export function replyList(replies: readonly Reply[], repeat: boolean): ChooseReply {
  return (_request, index) => replies[repeat ? index % replies.length : index]
}

/** The answer to a request for which the script has no reply. `count` is the length of the list, if it is one. */
export function exhausted(index: number, count: number | undefined): Reply {
  const script =
    count === undefined
      ? `The reply function returned no reply`
      : `The script has replies for ${count} ${count === 1 ? "request" : "requests"}`
  return httpError(500, {
    message: `${script}, and this is request ${index + 1}. Add a reply, or set "repeat" to start over.`,
    code: "script_exhausted",
  })
}
