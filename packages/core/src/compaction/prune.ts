import { pruneWrites } from "./prune/prune-writes.ts"
import type { PruneSelection, SelectPrunable } from "./prune/select-prunable.ts"
import type { CompactDeps } from "./compact.ts"
import type { CompactionInput } from "./draft-summary.ts"
import { withStaged } from "../store/history.ts"
import type { UserMessage } from "../record/message.ts"
import { checkPrompt } from "../request/preflight.ts"

export interface PruneDeps extends CompactDeps {
  readonly selectPrunable: SelectPrunable
}

export type PruneInput = Pick<CompactionInput, "scene" | "journal" | "history" | "checked" | "signal"> & {
  readonly user: UserMessage
}

/** Selects the outputs that can be cleared now. */
export function prunable({ selectPrunable }: PruneDeps, { history, scene, checked }: PruneInput): PruneSelection {
  const { bytesPerToken } = checked.calibration
  return selectPrunable(history.messages, { bytesPerToken, model: scene.model.ref, usable: checked.policy.usable })
}

/** Clears the outputs in one commit, if `isAccepted` accepts the tokens of the next request before and after. */
export async function prune(
  deps: PruneDeps,
  input: PruneInput,
  { parts }: PruneSelection,
  isAccepted: (before: number, after: number) => boolean,
): Promise<boolean> {
  if (parts.length === 0) return false
  const { scene, history, user, signal, checked, journal } = input
  const writes = pruneWrites(parts, deps.now())
  const { model, tools, system, settings: agent, rootSessionID } = scene
  const pruned = withStaged(history, writes)
  const about = { history: pruned, rootSessionID, user, agent, model, tools, system, isLastStep: false, signal }
  const before = Math.max(checked.expected.tokens, checked.estimate)
  const after = (await checkPrompt(deps, about)).expected.tokens
  if (!isAccepted(before, after)) return false
  await journal.commit(writes)
  const dropped = [...new Set(parts.map(({ messageID }) => messageID))]
  const compacted = {
    sessionID: history.session.id,
    rootSessionID,
    auto: true,
    strategy: "prune" as const,
    before,
    after,
    cost: 0,
    dropped,
  }
  deps.bus.publish("session.compacted", compacted)
  void deps.hooks.observe("session.compacted", compacted)
  return true
}
