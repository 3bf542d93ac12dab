import type { Host } from "../host.ts"
import { createTheme, wantsColour } from "@pawl/terminal-text/theme"
import type { Stop } from "../run/stop.ts"
import { dropTypedAhead } from "../run/typed-ahead.ts"

export interface ConfirmOptions {
  readonly host: Pick<Host, "stdin" | "stderr" | "environment">
  readonly stop: Stop
}

/** Returns true if stdin and stderr are a terminal, so that a user can be asked. */
export function canAsk({ stdin, stderr }: ConfirmOptions["host"]): boolean {
  return stdin.isTTY && stderr.isTerminal
}

/** Asks until the answer is yes or no. False for no, and if the question is aborted. */
export async function confirm(question: string, { host, stop }: ConfirmOptions): Promise<boolean> {
  const { stdin, stderr, environment } = host
  const theme = createTheme(wantsColour(environment, stderr.isTerminal))
  // Input typed before the question was visible is not an answer to it.
  await dropTypedAhead(stdin, stop)
  if (stop.signal.aborted) return false
  const { createInterface } = await import("node:readline/promises")
  const lines = createInterface({ input: stdin, output: stderr.stream })
  const closed = new AbortController()
  lines.on("SIGINT", () => stop.interrupt())
  lines.once("close", () => closed.abort())
  const signal = AbortSignal.any([stop.signal, closed.signal])
  try {
    for (;;) {
      const typed = (await lines.question(`${theme.strong(question)} [y]es, [n]o: `, { signal })).trim().toLowerCase()
      if (typed === "y" || typed === "yes") return true
      if (typed === "n" || typed === "no") return false
    }
  } catch {
    stderr.write("\n")
    return false
  } finally {
    lines.close()
  }
}
