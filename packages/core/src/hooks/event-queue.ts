import type { EngineEvent } from "../contracts/events.ts"

/** Maximum number of waiting events of a plugin. */
const MAX_WAITING = 1000

/**
 * The events of one plugin: handled in order, one at a time, without blocking the publisher. When there are too many,
 * drops the oldest delta, or the oldest event if there is no delta.
 */
export interface EventQueue {
  /** Adds an event. Resolves when the queue is empty. */
  add(event: EngineEvent): Promise<void>
  /** Resolves when the queue is empty. */
  idle(): Promise<void>
  /** Drops the waiting events and returns their number. */
  clear(): number
}

/** Creates a queue. `handle` never rejects. `onOverflow` is called once until all events have been handled. */
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
      if (waiting.length > MAX_WAITING) {
        const oldestDelta = waiting.findIndex(({ type }) => type === "message.part.delta")
        waiting.splice(Math.max(oldestDelta, 0), 1)
        if (!isOverflowing) onOverflow(MAX_WAITING)
        isOverflowing = true
      }
      return (working ??= work())
    },
    idle: () => working ?? Promise.resolve(),
    clear: () => waiting.splice(0).length,
  }
}
