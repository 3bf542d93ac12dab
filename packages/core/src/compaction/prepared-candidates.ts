import type { Candidate } from "./ladder/candidate.ts"
import { isInTail } from "../record/compaction-record.ts"
import { divideContext } from "./divide-context.ts"
import type { CompactionInput } from "./draft-summary.ts"
import type { MessageWithParts } from "../record/message.ts"
import type { Requests } from "../request/request-deps.ts"
import { nothingSpent } from "../record/spent.ts"

/** Part of the tail's budget that is used. The summary covers these messages as well, so a short tail is enough. */
const TAIL_SHARE = 1 / 3

/**
 * Yields candidates for the prepared summary of `record`. The tail is chosen for the present context: at least all
 * messages that the summary does not cover. The second candidate keeps only these.
 */
export function* preparedCandidates(requests: Requests, input: CompactionInput): Generator<Candidate> {
  const { marker, part, summary } = input.record
  if (!summary) return
  const { talk } = requests.arrange(input.history.messages)
  const ids = part.keep ?? []
  const isKept = ({ info, parts }: MessageWithParts) =>
    ids.includes(info.id) || parts.some(({ id }) => ids.includes(id))
  const { providerID, modelID, tokens, cost } = summary.info
  const candidate = (tail: readonly MessageWithParts[]): Candidate => ({
    strategy: "summary",
    text: "",
    model: { providerID, modelID },
    spent: { ...nothingSpent, tokens, cost },
    kept: { tail, ids, messages: talk.filter((message) => isKept(message)) },
  })
  const unread = talk.findIndex(({ info }) => isInTail(marker, info.id))
  const least = talk.slice(unread < 0 ? talk.length : unread)
  const { tail } = divideContext(requests, {
    ...input,
    model: input.context.model,
    summarizerWindow: 0,
    isEarly: false,
    tailShare: TAIL_SHARE,
  })
  if (tail.length > least.length) yield candidate(tail)
  yield candidate(least)
}
