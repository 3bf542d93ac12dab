import type { MessageID, SessionID } from "../base/ids.ts"
import type { Revision, Storage } from "../contracts/storage.ts"
import { isWaitingInfo } from "../record/waiting.ts"

/** Milliseconds between two looks for what another process sends to be read at once. */
const LOOK = 500

/** Ends the step under way, and not the run, when a prompt comes that is to be read at once. */
export interface Interrupts {
  /** The signal of the next step; aborted by what comes from now on. */
  next(run: AbortSignal): AbortSignal
  /** A prompt that the run has taken in ends nothing any more. */
  taken(id: MessageID): void
  /** A prompt has come. */
  raise(id: MessageID): void
  close(): void
}

export interface InterruptsDeps {
  readonly storage: Pick<Storage, "readChanges">
}

export function createInterrupts({ storage }: InterruptsDeps, sessionID: SessionID, from: Revision): Interrupts {
  const taken = new Set<MessageID>()
  /** What came between two steps: the next one does not begin. */
  const raised = new Set<MessageID>()
  let revision = from
  let current = new AbortController()
  let isLooking = false

  function raise(id: MessageID): void {
    if (taken.has(id)) return
    raised.add(id)
    end()
  }
  function end(): void {
    current.abort(new DOMException("Another prompt takes its place.", "AbortError"))
  }
  async function look(): Promise<void> {
    if (isLooking) return
    isLooking = true
    try {
      const changes = await storage.readChanges(sessionID, revision)
      for (const change of changes) {
        revision = Math.max(revision, change.revision)
        if (change.type !== "message.put" || !isWaitingInfo(change.message)) continue
        if (change.message.delivery?.mode === "interrupt") raise(change.message.id)
      }
    } catch {
      // What the storage cannot do shows at the next commit.
    } finally {
      isLooking = false
    }
  }
  const timer = setInterval(() => void look(), LOOK)
  timer.unref()
  return {
    next(run) {
      current = new AbortController()
      if (raised.size > 0) end()
      raised.clear()
      return AbortSignal.any([run, current.signal])
    },
    taken(id) {
      taken.add(id)
      raised.delete(id)
    },
    raise,
    close: () => clearInterval(timer),
  }
}
