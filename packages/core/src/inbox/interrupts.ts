import type { MessageID, SessionID } from "../base/ids.ts"
import type { Revision, Storage } from "../contracts/storage.ts"
import { isWaitingInfo } from "../record/waiting.ts"

/** Interval of reads for urgent prompts of other processes. */
const POLL_MS = 500

/** Ends the current step, but not the run, when an urgent prompt arrives. */
export interface Interrupts {
  /** Returns the signal of the next step. Urgent prompts abort it from now on. */
  next(run: AbortSignal): AbortSignal
  /** Marks a prompt as delivered, so that it no longer ends a step. */
  taken(id: MessageID): void
  /** Announces an urgent prompt. */
  raise(id: MessageID): void
  close(): void
}

export interface InterruptsDeps {
  readonly storage: Pick<Storage, "readChanges">
}

export function createInterrupts({ storage }: InterruptsDeps, sessionID: SessionID, from: Revision): Interrupts {
  const taken = new Set<MessageID>()
  /** Prompts that arrived between two steps. They abort the next step at its start. */
  const raised = new Set<MessageID>()
  let revision = from
  let current = new AbortController()
  let isPolling = false

  function raise(id: MessageID): void {
    if (taken.has(id)) return
    raised.add(id)
    end()
  }
  function end(): void {
    current.abort(new DOMException("Another prompt takes its place.", "AbortError"))
  }
  async function poll(): Promise<void> {
    if (isPolling) return
    isPolling = true
    try {
      const changes = await storage.readChanges(sessionID, revision)
      for (const change of changes) {
        revision = Math.max(revision, change.revision)
        if (change.type !== "message.put" || !isWaitingInfo(change.message)) continue
        if (change.message.delivery?.mode === "interrupt") raise(change.message.id)
      }
    } catch {
      // An error of the storage shows at the next commit.
    } finally {
      isPolling = false
    }
  }
  const timer = setInterval(() => void poll(), POLL_MS)
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
