import type { FrameTimer } from "./screen/screen.ts"
import type { Source } from "./source/source.ts"

export interface ShellCountOptions {
  readonly source: Pick<Source, "shells" | "subscribe">
  readonly timer: FrameTimer
  /** Returns the ids of the shown session and of its subagents. */
  readonly sessionIDs: () => readonly string[]
  readonly onChange: () => void
}

/** Counts the running background commands of the shown session. */
export interface ShellCount {
  running(): number
  /** Counts again soon, such as for another session. */
  refresh(): void
  close(): void
}

/** Milliseconds between two counts while a command runs: no event says that it ends. */
const POLL_MS = 2000
const SOON_MS = 100

export function createShellCount({ source, timer, sessionIDs, onChange }: ShellCountOptions): ShellCount {
  let count = 0
  let cancel: (() => void) | undefined
  let isCounting = false
  let isStale = false
  let isClosed = false

  async function refresh(): Promise<void> {
    cancel = undefined
    if (isCounting) {
      isStale = true
      return
    }
    isCounting = true
    const lists = await Promise.all(sessionIDs().map((id) => source.shells(id).catch(() => [])))
    isCounting = false
    if (isClosed) return
    const running = lists.flat().filter(({ end }) => end === undefined).length
    const isChanged = running !== count
    count = running
    if (isStale) again(SOON_MS)
    else if (running > 0) again(POLL_MS)
    isStale = false
    if (isChanged) onChange()
  }

  function again(milliseconds: number): void {
    if (isClosed) return
    cancel?.()
    cancel = timer.after(milliseconds, () => void refresh())
  }

  const unsubscribe = source.subscribe(({ type, properties }) => {
    if (type !== "message.part.updated" || properties.part.type !== "tool") return
    const { tool, state } = properties.part
    const isOver = state.status === "completed" || state.status === "error"
    if (isOver && (tool === "bash" || tool === "bash_kill")) again(SOON_MS)
  })

  return {
    running: () => count,
    refresh: () => again(SOON_MS),
    close() {
      isClosed = true
      unsubscribe()
      cancel?.()
    },
  }
}
