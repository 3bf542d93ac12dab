import type { Host } from "../host.ts"
import type { Stop } from "./stop.ts"

export interface PromptLineOptions {
  readonly host: Pick<Host, "stdin" | "stderr">
  readonly stop: Pick<Stop, "interrupt">
  readonly prompt: string
  /** Aborts when the answer is no longer needed. */
  readonly signal: AbortSignal
}

/** An answer, or `closed` if the terminal was closed or the answer is no longer needed. */
export type Typed<T> =
  | { readonly type: "answer"; readonly answer: T }
  | { readonly type: "escape" }
  | { readonly type: "closed" }

/** Reads lines until one of them is a valid answer. */
export async function readAnswer<T>(
  { host, stop, prompt, signal }: PromptLineOptions,
  parse: (typed: string) => T | undefined,
): Promise<Typed<T>> {
  const { stdin, stderr } = host
  const { createInterface } = await import("node:readline/promises")
  const lines = createInterface({ input: stdin, output: stderr.stream })
  const closed = new AbortController()
  const escaped = new AbortController()
  const onKey = (_text: unknown, key?: { readonly name?: string }) => {
    if (key?.name === "escape") escaped.abort()
  }
  stdin.on("keypress", onKey)
  lines.on("SIGINT", stop.interrupt)
  lines.once("close", () => closed.abort())
  const ended = AbortSignal.any([signal, closed.signal, escaped.signal])
  try {
    for (;;) {
      const answer = parse((await lines.question(prompt, { signal: ended })).trim())
      if (answer !== undefined) return { type: "answer", answer }
    }
  } catch {
    // The cursor is still behind the question.
    stderr.write("\n")
    return { type: escaped.signal.aborted && !signal.aborted ? "escape" : "closed" }
  } finally {
    stdin.off("keypress", onKey)
    lines.close()
  }
}
