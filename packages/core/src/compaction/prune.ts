import { pruneWrites } from "./prune/prune-writes.ts"
import type { PruneSelection, SelectPrunable } from "./prune/select-prunable.ts"
import type { CompactDeps } from "./compact.ts"
import type { CompactionHandles, CompactionInput } from "./draft-summary.ts"
import { withStaged } from "../store/history.ts"
import type { UserMessage } from "../record/message.ts"
import { checkPrompt } from "../request/preflight.ts"

export interface PruneDeps extends CompactDeps {
  readonly requests: CompactDeps["requests"] & { readonly selectPrunable: SelectPrunable }
}

export type PruneInput = Pick<CompactionInput, "context" | "history" | "checked"> & {
  readonly user: UserMessage
}

/** Selects the outputs that can be cleared now. */
export function prunable({ requests }: PruneDeps, { history, context, checked }: PruneInput): PruneSelection {
  const { bytesPerToken } = checked.calibration
  return requests.selectPrunable(history.messages, {
    bytesPerToken,
    model: context.model,
    usable: checked.policy.usable,
  })
}

/** Clears the outputs in one commit, if `isAccepted` accepts the tokens of the next request before and after. */
export async function prune(
  deps: PruneDeps,
  { journal, signal }: CompactionHandles,
  { context, history, user, checked }: PruneInput,
  { parts }: PruneSelection,
  isAccepted: (before: number, after: number) => boolean,
): Promise<boolean> {
  if (parts.length === 0) return false
  const writes = pruneWrites(parts, deps.store.now())
  const next = { context, history: withStaged(history, writes), user, isLastStep: false, signal }
  const before = Math.max(checked.expected.tokens, checked.estimate)
  const after = (await checkPrompt(deps, next)).expected.tokens
  if (!isAccepted(before, after)) return false
  await journal.commit(writes)
  const dropped = [...new Set(parts.map(({ messageID }) => messageID))]
  const compacted = {
    sessionID: history.session.id,
    rootSessionID: context.rootSessionID,
    auto: true,
    strategy: "prune" as const,
    before,
    after,
    cost: 0,
    dropped,
  }
  deps.store.bus.publish("session.compacted", compacted)
  void deps.hooks.observe("session.compacted", compacted)
  return true
}
