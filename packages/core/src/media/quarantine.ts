import type { FilePart, MessageWithParts, Part } from "../record/message.ts"
import type { Write } from "../contracts/storage.ts"
import { ProviderError } from "../base/errors.ts"
import type { Model, ModelRequest, RejectedFiles } from "../contracts/model.ts"

/**
 * Returns the writes that keep rejected files out of all later requests, for one commit. Marks each part with the same
 * content, attached by the user or by a tool. The files stay stored. Empty if no part holds them.
 */
export function quarantineWrites(
  messages: readonly MessageWithParts[],
  { files, reason }: Pick<RejectedFiles, "reason"> & { readonly files: readonly Pick<FilePart, "url">[] },
  now: number,
): Write[] {
  const urls = new Set(files.map(({ url }) => url))
  const isRejected = (file: FilePart) => !file.rejected && urls.has(file.url)
  const reject = (file: FilePart): FilePart => ({ ...file, rejected: { reason, time: now } })
  return messages.flatMap(({ parts }) => {
    return parts.flatMap((part): Write[] => {
      const changed = withRejected(part, isRejected, reject)
      return changed ? [{ type: "part.put", part: changed }] : []
    })
  })
}

function withRejected(
  part: Part,
  isRejected: (file: FilePart) => boolean,
  reject: (file: FilePart) => FilePart,
): Part | undefined {
  if (part.type === "file") return isRejected(part) ? reject(part) : undefined
  if (part.type !== "tool" || part.state.status !== "completed") return undefined
  const { attachments = [] } = part.state
  if (!attachments.some(isRejected)) return undefined
  const marked = attachments.map((file) => (isRejected(file) ? reject(file) : file))
  return { ...part, state: { ...part.state, attachments: marked } }
}

/** Maximum retries of a turn without the files that its provider refused. */
const MAX_QUARANTINES = 3

/** A request that failed. */
export interface RefusedRequest {
  readonly model: Pick<Model, "findRejectedFiles">
  readonly request: ModelRequest
  readonly messages: readonly MessageWithParts[]
  /** Time of the user's message, in epoch milliseconds. */
  readonly since: number
}

/** Returns the writes that keep refused files out of the next request; empty if the error is not about files. */
export async function quarantineAfterFailure(
  error: unknown,
  { model, request, messages, since }: RefusedRequest,
  now: () => number,
): Promise<Write[]> {
  if (!(error instanceof ProviderError)) return []
  if (quarantinesSince(messages, since) >= MAX_QUARANTINES) return []
  const rejected = await model.findRejectedFiles?.(error, request)
  return rejected ? quarantineWrites(messages, rejected, now()) : []
}

/** Returns the number of times that files were quarantined since `time`. */
export function quarantinesSince(messages: readonly MessageWithParts[], time: number): number {
  const files = messages.flatMap(({ parts }) => {
    return parts.flatMap((part) => {
      if (part.type === "file") return [part]
      return part.type === "tool" && part.state.status === "completed" ? (part.state.attachments ?? []) : []
    })
  })
  const times = files.flatMap(({ rejected }) => (rejected && rejected.time >= time ? [rejected.time] : []))
  return new Set(times).size
}
