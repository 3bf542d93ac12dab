import type { SessionID } from "@pawl/core/storage"
import type { Attempt } from "./attempt.ts"

/**
 * Yields the histories of a session that fit the acknowledgements. Acknowledged attempts happened in order and at their
 * revision. Open and failed attempts happened completely or not at all.
 */
export function* possibleHistories(attempts: readonly Attempt[], sessionID: SessionID): Generator<readonly Attempt[]> {
  const own = attempts.filter(({ operation }) => operation.type !== "blob" && operation.sessionID === sessionID)
  yield* choose(own, [], 0)
}

function* choose(
  rest: readonly Attempt[],
  chosen: readonly Attempt[],
  revision: number,
): Generator<readonly Attempt[]> {
  const [next, ...later] = rest
  if (!next) {
    yield chosen
    return
  }
  const after = next.operation.type === "remove" ? 0 : revision + 1
  const { outcome } = next
  if (outcome.type !== "done") yield* choose(later, chosen, revision)
  else if (outcome.revision !== undefined && outcome.revision !== after) return
  yield* choose(later, [...chosen, next], after)
}
