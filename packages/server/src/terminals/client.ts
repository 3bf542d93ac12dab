import type { WebSocket } from "ws"
import type { TerminalOutput } from "./output.ts"

/** A client that reads a terminal's output at its own pace. */
export interface TerminalClient {
  /** Position of the first unit that was not sent yet. */
  readonly position: number
  /** Sends what has come since. */
  advance(): void
  /** Closes the connection when all output was sent. */
  finish(): void
  /** Closes the connection now. */
  close(code: number, reason: string): void
}

export interface TerminalClientOptions {
  readonly socket: WebSocket
  readonly output: TerminalOutput
  /** Position to begin at, as the client sent it: -1 is the end. */
  readonly cursor: number
  readonly stallMs: number
  /** Called when output was taken, and when the connection has ended. */
  readonly onProgress: () => void
}

/** Units in one message. */
const MESSAGE_LENGTH = 64 * 1024

/** Codes of WebSocket closes. */
export const CLOSE = { done: 1000, goingAway: 1001, tooSlow: 1013 } as const

//   kept output from the cursor on    text, in pieces
//   0x00 {"cursor":<position>}        binary, once: what follows is new
//   new output                        text

/** Sends output to a client, one message at a time, so that a slow client holds back only itself. */
export function createTerminalClient(options: TerminalClientOptions): TerminalClient {
  const { socket, output, cursor, stallMs, onProgress } = options
  const replayEnd = output.end
  let position = cursor < 0 ? replayEnd : Math.min(Math.max(cursor, output.start), replayEnd)
  let hasMeta = false
  let isSending = false
  let isFinishing = false
  let isOver = false

  function send(data: string | Buffer): void {
    isSending = true
    const stall = setTimeout(() => socket.terminate(), stallMs)
    socket.send(data, (error) => {
      clearTimeout(stall)
      isSending = false
      if (!error) advance()
      onProgress()
    })
  }

  function close(code: number, reason: string): void {
    if (isOver) return
    isOver = true
    socket.close(code, reason)
    const last = setTimeout(() => socket.terminate(), stallMs)
    socket.once("close", () => clearTimeout(last))
  }

  function advance(): void {
    if (isSending || isOver) return
    if (position < output.start) {
      close(CLOSE.tooSlow, "Output was dropped before it was read. Connect again with a cursor.")
      return
    }
    const end = hasMeta ? output.end : replayEnd
    if (position < end) {
      const { text, next } = output.read(position, Math.min(MESSAGE_LENGTH, end - position))
      position = next
      send(text)
    } else if (!hasMeta) {
      hasMeta = true
      send(Buffer.concat([Buffer.of(0), Buffer.from(JSON.stringify({ cursor: position }))]))
    } else if (isFinishing) close(CLOSE.done, "The terminal has ended.")
  }

  return {
    get position() {
      return position
    },
    advance,
    finish() {
      isFinishing = true
      advance()
    },
    close,
  }
}
