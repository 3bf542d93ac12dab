import { Writable } from "node:stream"
import { StringDecoder } from "node:string_decoder"

/** Redirects output of other code, such as plugins, away from stdout, which is for answers and protocols. */
export interface StrayOutput {
  /** The one stream that leads to stdout from here on. */
  readonly stdout: NodeJS.WriteStream & { readonly fd: number }
  /** Hands over the lines that were printed, in place of the listener before, until the returned function is called. */
  readonly listen: (listener: LineListener) => () => void
  /** Hands over a line that has not ended. */
  readonly flush: () => void
}

export type LineListener = (line: string) => void

/** Characters. A longer line is handed over in pieces. */
const MAX_LINE_LENGTH = 8192

/**
 * Puts a stream of its own in the place of `process.stdout`, and so of the console's. Call it before anything is printed.
 * `fallback` gets the lines while nothing else listens.
 */
export function takeStdout(fallback: LineListener): StrayOutput {
  const { stdout } = process
  const listeners = [fallback]
  let line = ""

  function tell(text: string): void {
    line += text
    const lines = line.split("\n")
    line = lines.pop() ?? ""
    for (const each of lines) for (const piece of pieces(each)) listeners.at(-1)?.(piece)
    if (line.length > MAX_LINE_LENGTH) flush()
  }
  function flush(): void {
    const rest = line
    line = ""
    if (rest !== "") for (const piece of pieces(rest)) listeners.at(-1)?.(piece)
  }

  const stray = strayStream(tell)
  Object.defineProperty(process, "stdout", { configurable: true, enumerable: true, get: () => stray })
  return {
    stdout,
    listen(listener) {
      listeners.push(listener)
      return () => {
        flush()
        listeners.splice(listeners.lastIndexOf(listener), 1)
      }
    },
    flush,
  }
}

function* pieces(line: string): Generator<string> {
  if (line.trim() === "") return
  for (let at = 0; at < line.length; at += MAX_LINE_LENGTH) yield line.slice(at, at + MAX_LINE_LENGTH)
}

/** Never ends, as stdout does not. What asks for its descriptor gets that of stderr. */
function strayStream(tell: (text: string) => void): Writable {
  const decoder = new StringDecoder("utf8")
  const stream = new Writable({
    decodeStrings: true,
    write(chunk: Buffer, _encoding, done) {
      tell(decoder.write(chunk))
      done()
    },
  })
  const end = (chunk?: unknown, encoding?: unknown, done?: unknown) => {
    if (typeof chunk === "string" || chunk instanceof Uint8Array) stream.write(chunk)
    const callback = [chunk, encoding, done].find((each) => typeof each === "function")
    if (callback) process.nextTick(callback)
    return stream
  }
  return Object.assign(stream, { fd: 2, isTTY: false, end, destroy: () => stream })
}
