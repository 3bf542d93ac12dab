import { isatty } from "node:tty"

/** A stream for people or programs that nothing is lost on. */
export interface Output {
  /** For those who need the stream itself, such as a line editor. */
  readonly stream: NodeJS.WritableStream
  readonly isTerminal: boolean
  /** Nothing is wanted here but questions, and what explains a failure. */
  readonly isQuiet?: true
  /** A terminal that understands no escape sequences: nothing is drawn over there. */
  readonly isDumb?: boolean
  /** Current columns of the terminal. Default: 80. */
  readonly columns: number
  /** Never throws: what can no longer be written is dropped. */
  write(text: string): void
  /** Resolves when everything written has reached the reader, or cannot any more. */
  flushed(): Promise<void>
  /** Aborts when nothing more can be written, with the stream's error as its reason. */
  readonly gone: AbortSignal
}

/** `term`: the kind of terminal, as the environment names it. */
export function createOutput(stream: NodeJS.WriteStream & { readonly fd: number }, term?: string): Output {
  const gone = new AbortController()
  stream.on("error", (error) => gone.abort(error))
  return {
    stream,
    isTerminal: isatty(stream.fd),
    isDumb: term === "dumb",
    get columns() {
      return stream.columns > 0 ? stream.columns : 80
    },
    gone: gone.signal,
    write(text) {
      if (text !== "" && !gone.signal.aborted) stream.write(text)
    },
    flushed() {
      if (gone.signal.aborted) return Promise.resolve()
      // An empty write is called back after everything before it, and after an error of it was reported.
      return new Promise((resolve) => {
        stream.write("", () => resolve())
      })
    },
  }
}

/** Returns true if the reader closed the stream, as `head` does. False for a fault such as a full disk. */
export function isReaderGone(gone: AbortSignal): boolean {
  const error: unknown = gone.reason
  return gone.aborted && error instanceof Error && "code" in error && error.code === "EPIPE"
}
