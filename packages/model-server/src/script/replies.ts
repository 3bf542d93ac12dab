import type { RecordedRequest } from "../recorded-request.ts"
import { httpError } from "./http-error.ts"
import type { Reply } from "./reply.ts"

/**
 * Returns the reply for a request. `index` counts accepted requests from 0; `undefined` means that the script has no
 * more replies.
 */
export type ChooseReply = (request: RecordedRequest, index: number) => Reply | undefined | Promise<Reply | undefined>

/** The replies of a server: a list played in order, or a function. */
export type Replies = readonly Reply[] | ChooseReply

/** Converts both forms to a function. With `repeat`, a list starts again at its end. Throws if a reply is invalid. */
export function toChooseReply(replies: Replies, repeat: boolean): ChooseReply {
  if (typeof replies === "function") {
    return async (request, index) => {
      const reply = await replies(request, index)
      return reply === undefined ? undefined : checkReply(reply, `The reply function's result for request ${index + 1}`)
    }
  }
  for (const [index, reply] of replies.entries()) checkReply(reply, `replies[${index}]`)
  return (_request, index) => replies[repeat && replies.length > 0 ? index % replies.length : index]
}

/** Returns the answer to request `number` (from 1), for which the script has no reply. */
export function exhausted(replies: Replies, number: number): Reply {
  const script =
    typeof replies === "function"
      ? "The reply function returned nothing for"
      : `The script had ${replies.length} ${replies.length === 1 ? "reply" : "replies"}, and this is`
  return httpError(500, {
    message: `${script} request ${number}. Add a reply, or start over with "repeat: true".`,
    code: "script_exhausted",
  })
}

function checkReply(reply: Reply, place: string): Reply {
  const { type } = Object(reply) as { type?: unknown }
  if (type === "answer" || type === "http-error") return reply
  throw new TypeError(`${place} is not a reply: wrap its steps in reply(…).`)
}
