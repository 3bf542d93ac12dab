import type { Candidate } from "./ladder/candidate.ts"
import { isInTail } from "../record/compaction-record.ts"
import { divideContext } from "./divide-context.ts"
import type { CompactionInput } from "./draft-summary.ts"
import type { MessageWithParts } from "../record/message.ts"
import type { PreflightDeps } from "../request/preflight.ts"
import { nothingSpent } from "../record/spent.ts"

/** The summary stands for this tail as well, so that it can be short. */
const SHARE_OF_TAIL = 1 / 3

/**
 * Ways to put the summary of `record` into effect that was prepared. The tail is chosen for the context as it is now: at
 * least everything that the summary does not stand for. If more of it stays than the window has room for, only that.
 */
export function* preparedCandidates(deps: PreflightDeps, input: CompactionInput): Generator<Candidate> {
  const { marker, part, summary } = input.record
  if (!summary) return
  const { talk } = deps.arrange(input.history.messages)
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
  const { tail } = divideContext(deps, {
    ...input,
    model: input.scene.model,
    summarizerWindow: 0,
    isEarly: false,
    tailShare: SHARE_OF_TAIL,
  })
  if (tail.length > least.length) yield candidate(tail)
  yield candidate(least)
}
