import type { EngineEvent } from "../contracts/events.ts"

/** Events that wait for a plugin. */
const LONGEST = 1000

/**
 * The events of one plugin: handled in their order, one at a time, while nobody waits. When too many have come, the
 * oldest deltas are dropped, and only where there are none the oldest event.
 */
export interface EventQueue {
  /** Resolves when nothing is left. */
  add(event: EngineEvent): Promise<void>
  /** Resolves when nothing is left: at once where nothing waits. */
  idle(): Promise<void>
  /** Forgets what waits and tells how many events that were. */
  clear(): number
}

/** `handle` never rejects. `onOverflow` is told once until all has been handled. */
export function createEventQueue(
  handle: (event: EngineEvent) => Promise<void>,
  onOverflow: (longest: number) => void,
): EventQueue {
  const waiting: EngineEvent[] = []
  let working: Promise<void> | undefined
  let isOverflowing = false

  async function work() {
    for (let event = waiting.shift(); event; event = waiting.shift()) await handle(event)
    isOverflowing = false
    working = undefined
  }

  return {
    add(event) {
      waiting.push(event)
      if (waiting.length > LONGEST) {
        const oldestDelta = waiting.findIndex(({ type }) => type === "message.part.delta")
        waiting.splice(Math.max(oldestDelta, 0), 1)
        if (!isOverflowing) onOverflow(LONGEST)
        isOverflowing = true
      }
      return (working ??= work())
    },
    idle: () => working ?? Promise.resolve(),
    clear: () => waiting.splice(0).length,
  }
}
