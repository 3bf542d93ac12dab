import type { SessionID } from "../base/ids.ts"

/**
 * Does the work when the work before it on the same session has ended, well or not: for a read and the write that
 * depends on it.
 */
export type InTurn = <T>(id: SessionID, work: () => Promise<T>) => Promise<T>

/** The turns of one engine. */
export function createTurns(): InTurn {
  const last = new Map<SessionID, Promise<unknown>>()
  return (id, work) => {
    const turn = (last.get(id) ?? Promise.resolve()).then(work)
    const ended = turn.then(
      () => undefined,
      () => undefined,
    )
    last.set(id, ended)
    void ended.then(() => {
      if (last.get(id) === ended) last.delete(id)
    })
    return turn
  }
}
