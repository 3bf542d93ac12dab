/* oxlint-disable no-control-regex -- Sequences of terminals begin with a control character. */
import { type KeyPress, createKeyReader, useKittyKeys } from "./keys.ts"

/** The streams of a terminal. */
export interface TerminalStreams {
  readonly input: Pick<NodeJS.ReadStream, "on" | "off" | "resume" | "pause" | "ref" | "unref"> & {
    setRawMode?(isRaw: boolean): unknown
  }
  readonly output: { write(text: string): unknown }
  /** Writes before it returns, for the end of the process. */
  readonly writeNow: (text: string) => void
}

/**
 * The modes of a terminal.
 *
 *   enter ──▶ raw, paste in brackets, kitty's keys if offered ──▶ leave ──▶ as before
 *                 ▲        suspend (Ctrl-Z) ──▶ continued ────┘
 */
export interface Terminal {
  /** Begins to read keys. */
  enter(): void
  /** Restores the modes from before. May be called again, and while the process ends. */
  leave(): void
}

export interface TerminalOptions extends TerminalStreams {
  readonly onKey: (key: KeyPress) => void
  /** Called when the terminal is closed. */
  readonly onEnd: () => void
  /** Asks the terminal for its background. */
  readonly asksBackground?: boolean
  /** Called with the answer about the background, which may never come. */
  readonly onBackground?: (report: string) => void
  /** Called when the terminal gets the focus or loses it. Default: the focus is not reported. */
  readonly onFocus?: ((hasFocus: boolean) => void) | undefined
  /** Uses the alternate screen, and reports the mouse wheel. */
  readonly isFull?: boolean | undefined
}

const PASTE_ON = "\u001B[?2004h"
const PASTE_OFF = "\u001B[?2004l"
const FOCUS_ON = "\u001B[?1004h"
const FOCUS_OFF = "\u001B[?1004l"
/** Alternate screen, and reports of the mouse's buttons in the form of SGR. */
const FULL_ON = "\u001B[?1049h\u001B[?1000h\u001B[?1006h"
const FULL_OFF = "\u001B[?1006l\u001B[?1000l\u001B[?1049l"
const BACKGROUND_QUERY = "\u001B]11;?\u0007"
/** Asks for the keyboard protocol. Terminals that do not know it answer nothing. */
const KITTY_QUERY = "\u001B[?u"
/** Distinguishes Escape and modified keys. */
const KITTY_ON = "\u001B[>1u"
const KITTY_OFF = "\u001B[<u"
const RESTORED = "\u001B[?7h\u001B[?25h"

export function createTerminal({ input, output, writeNow, onKey, onEnd, ...more }: TerminalOptions): Terminal {
  const { asksBackground = false, isFull = false, onBackground, onFocus } = more
  let isEntered = false
  let isKitty = false
  const reader = createKeyReader({
    onKey,
    onReport(report) {
      if (report.startsWith("\u001B]11;")) return onBackground?.(report)
      if (report === "\u001B[I" || report === "\u001B[O") return onFocus?.(report === "\u001B[I")
      if (!isEntered || isKitty || !/^\u001B\[\?\d+u/.test(report)) return
      isKitty = true
      useKittyKeys(true)
      output.write(KITTY_ON)
    },
  })
  const onData = (data: Buffer) => reader.push(data)
  const onExit = () => leave(writeNow)

  function leave(write: (text: string) => unknown): void {
    if (!isEntered) return
    isEntered = false
    input.off("data", onData)
    input.off("end", onEnd)
    process.off("exit", onExit)
    write(`${isKitty ? KITTY_OFF : ""}${onFocus ? FOCUS_OFF : ""}${PASTE_OFF}${RESTORED}${isFull ? FULL_OFF : ""}`)
    isKitty = false
    useKittyKeys(false)
    input.setRawMode?.(false)
    input.pause()
  }

  return {
    enter() {
      if (isEntered) return
      isEntered = true
      input.setRawMode?.(true)
      input.on("data", onData)
      input.on("end", onEnd)
      input.resume()
      // A crash or a plugin that ends the process must not leave the terminal raw.
      process.on("exit", onExit)
      // Each screen has keyboard modes of its own.
      output.write(
        (isFull ? FULL_ON : "") +
          PASTE_ON +
          KITTY_QUERY +
          (onFocus ? FOCUS_ON : "") +
          (asksBackground ? BACKGROUND_QUERY : ""),
      )
    },
    leave: () => leave((text) => output.write(text)),
  }
}
