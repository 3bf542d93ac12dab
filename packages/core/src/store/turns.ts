import type { SessionID } from "../base/ids.ts"

/**
 * Runs the work after earlier work on the same session has ended, with or without an error. For a read and the write
 * that depends on it.
 */
export type InTurn = <T>(id: SessionID, work: () => Promise<T>) => Promise<T>

/** Creates the queues of one engine, one per session. */
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
