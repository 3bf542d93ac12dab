import type { Theme } from "@pawl/terminal-text/theme"
import { clip } from "@pawl/terminal-text/width"
import { wholeSeconds } from "@pawl/terminal-text/quantity"
import type { Output } from "./output.ts"

export interface ScreenOptions {
  /** For the answer. */
  readonly stdout: Output
  /** For everything else. */
  readonly stderr: Output
  readonly theme: Theme
  /** Milliseconds on a clock that only goes forward. */
  readonly now: () => number
}

/**
 * Answer, notes and one status line, which share a terminal or not, without getting into each other's lines.
 *
 *   answer ──▶ stdout     notes, status ──▶ stderr     one terminal for both: a gap between answer and notes
 */
export interface Screen {
  /** A piece of the answer, in the form in which it is to appear. */
  answer(text: string): void
  /** Ends the line that the answer is in. */
  endAnswer(): void
  /** Whole lines, already styled; `apart` sets them off from what stands before them. */
  note(lines: readonly string[], apart?: boolean): void
  /** Shows a wait with a spinner and its elapsed or remaining time. Undefined removes it. */
  status(wait: Wait | undefined): void
  /** Returns true if a status line can be shown. False while an answer ends in the middle of a line. */
  showsStatus(): boolean
  /** Holds all output back while other code writes to the terminal, then shows it in order. */
  hold<T>(work: () => Promise<T>): Promise<T>
  /** Takes the status line away. */
  close(): void
}

export interface Wait {
  readonly label: string
  /** On the screen's clock. */
  readonly since: number
  /** When it is over, where that is known. */
  readonly until?: number
}

const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"]
const FRAME_TIME = 100
const CLEAR_LINE = "\r\u001B[2K"

export function createScreen({ stdout, stderr, theme, now }: ScreenOptions): Screen {
  const isShared = stdout.isTerminal && stderr.isTerminal
  let last: "nothing" | "answer" | "note" = "nothing"
  let hasNoted = false
  let isMidLine = false
  let wait: Wait | undefined
  let isDrawn = false
  let frame = 0
  let timer: NodeJS.Timeout | undefined
  let held: (() => void)[] | undefined

  function show(action: () => void): void {
    if (held) held.push(action)
    else action()
  }
  function erase(): void {
    if (isDrawn) stderr.write(CLEAR_LINE)
    isDrawn = false
  }
  function draw(): void {
    if (!wait || held || (isShared && isMidLine)) return
    const time = timeOf(wait)
    const text = clip(wait.label, stderr.columns - 3 - time.length)
    stderr.write(`${CLEAR_LINE}${theme.accent(FRAMES[frame++ % FRAMES.length] ?? "")} ${theme.faint(text + time)}`)
    isDrawn = true
  }
  function timeOf({ since, until }: Wait): string {
    if (until !== undefined) return ` · ${wholeSeconds(Math.max(0, Math.ceil((until - now()) / 1000)))} left`
    const seconds = Math.floor((now() - since) / 1000)
    return seconds >= 1 ? ` · ${wholeSeconds(seconds)}` : ""
  }
  function stopDrawing(): void {
    clearInterval(timer)
    timer = undefined
    erase()
  }
  function endLine(): void {
    if (isMidLine) stdout.write("\n")
    isMidLine = false
  }

  function answer(text: string): void {
    erase()
    if (!isMidLine && last === "answer") stdout.write("\n")
    if (isShared && last === "note") stderr.write("\n")
    stdout.write(text)
    isMidLine = true
    last = "answer"
  }
  function note(lines: readonly string[], apart: boolean): void {
    erase()
    if (isShared) endLine()
    if (isShared ? last === "answer" || (apart && last === "note") : apart && hasNoted) stderr.write("\n")
    if (isShared) last = "note"
    hasNoted = true
    stderr.write(`${lines.join("\n")}\n`)
    draw()
  }

  return {
    answer(text) {
      if (text !== "") show(() => answer(text))
    },
    endAnswer: () => show(endLine),
    note(lines, apart = false) {
      if (lines.length > 0) show(() => note(lines, apart))
    },
    status(next) {
      if (!stderr.isTerminal || stderr.isDumb || stderr.isQuiet) return
      const isSame = next?.label === wait?.label && next?.since === wait?.since
      wait = next
      if (isSame) return
      if (!wait) return stopDrawing()
      timer ??= setInterval(draw, FRAME_TIME).unref()
      draw()
    },
    showsStatus: () => isDrawn,
    async hold(work) {
      erase()
      const actions: (() => void)[] = []
      held = actions
      try {
        return await work()
      } finally {
        held = undefined
        for (const action of actions) action()
        draw()
      }
    },
    close() {
      wait = undefined
      stopDrawing()
      endLine()
    },
  }
}
