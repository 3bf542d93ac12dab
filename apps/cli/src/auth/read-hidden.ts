import { Writable } from "node:stream"
import type { Host } from "../host.ts"
import type { Stop } from "../run/stop.ts"

/** Reads a line of which nothing is shown; undefined where it is broken off. */
export async function readHidden(
  prompt: string,
  { stdin, stderr }: Pick<Host, "stdin" | "stderr">,
  stop: Pick<Stop, "signal" | "interrupt">,
): Promise<string | undefined> {
  const { createInterface } = await import("node:readline/promises")
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  // It echoes by itself, into nothing: the terminal is told to leave that to it.
  const lines = createInterface({ input: stdin, output: nowhere, terminal: true })
  const closed = new AbortController()
  lines.on("SIGINT", () => stop.interrupt())
  lines.once("close", () => closed.abort())
  stderr.write(prompt)
  try {
    return (await lines.question("", { signal: AbortSignal.any([stop.signal, closed.signal]) })).trim()
  } catch {
    return undefined
  } finally {
    lines.close()
    stderr.write("\n")
  }
}
