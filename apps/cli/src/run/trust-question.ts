import type { Host } from "../host.ts"
import type { Theme } from "@pawl/terminal-text/theme"
import type { RunView } from "./run-view.ts"
import type { Stop } from "./stop.ts"
import { dropTypedAhead } from "./typed-ahead.ts"
import type { AskTrust, TrustAnswer } from "@pawl/trust/decide-trust"
import { trustLines } from "../trust/trust-lines.ts"

export interface TrustQuestionOptions {
  readonly host: Pick<Host, "stdin" | "stderr">
  readonly theme: Theme
  readonly view: Pick<RunView, "ask">
  readonly stop: Pick<Stop, "interrupt" | "signal">
}

const ANSWERS: Readonly<Record<string, TrustAnswer>> = {
  y: "once",
  yes: "once",
  a: "always",
  always: "always",
  n: "no",
  no: "no",
}

const EXPLANATION = "Without it pawl works all the same, and leaves these out."

/** Creates the question at the terminal that trusts a project. Undefined without a terminal. */
export function createTrustQuestion({ host, theme, view, stop }: TrustQuestionOptions): AskTrust | undefined {
  if (!host.stdin.isTTY || !host.stderr.isTerminal) return undefined
  return async (request) => {
    // Input typed before the question was visible is not an answer to it.
    await dropTypedAhead(host.stdin, stop)
    if (stop.signal.aborted) return "no"
    const lines = [...trustLines(request, { columns: host.stderr.columns, theme }), theme.faint(EXPLANATION)]
    return view.ask(lines, () => readAnswer({ host, theme, view, stop }))
  }
}

async function readAnswer({ host, theme, stop }: TrustQuestionOptions): Promise<TrustAnswer> {
  const { createInterface } = await import("node:readline/promises")
  const lines = createInterface({ input: host.stdin, output: host.stderr.stream })
  const closed = new AbortController()
  lines.on("SIGINT", stop.interrupt)
  lines.once("close", () => closed.abort())
  const signal = AbortSignal.any([stop.signal, closed.signal])
  try {
    for (;;) {
      const prompt = `${theme.strong("trust it?")} [y]es this time, [a]lways until it changes, [n]o: `
      const answer = ANSWERS[(await lines.question(prompt, { signal })).trim().toLowerCase()]
      if (answer) return answer
    }
  } catch {
    // The run is stopping, or the terminal closed: the cursor stands behind the question still.
    host.stderr.write("\n")
    return "no"
  } finally {
    lines.close()
  }
}
