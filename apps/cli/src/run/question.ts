import { createInterface } from "node:readline/promises"
import type { AskPermission, PermissionReply, PermissionRequest } from "@pawl/core"
import { diffLines } from "../render/diff-lines.ts"
import { plainLine } from "../render/plain.ts"
import type { Theme } from "../render/theme.ts"
import { clip } from "../render/width.ts"
import type { Host } from "../host.ts"
import type { RunView } from "./run-view.ts"
import type { Stop } from "./stop.ts"

export interface QuestionOptions {
  readonly host: Pick<Host, "stdin" | "stderr">
  readonly theme: Theme
  readonly view: Pick<RunView, "pause">
  readonly stop: Pick<Stop, "interrupt">
}

const ANSWERS: Readonly<Record<string, PermissionReply>> = {
  y: "once",
  yes: "once",
  a: "always",
  always: "always",
  n: "reject",
  no: "reject",
}

/** Asks at the terminal, one question after the other. Undefined where nobody can answer. */
export function createQuestions(options: QuestionOptions): AskPermission | undefined {
  const { host, view } = options
  if (!host.stdin.isTTY || !host.stderr.isTerminal) return undefined
  let last: Promise<unknown> = Promise.resolve()
  return (request, signal) => {
    const answer = last.then(() => view.pause(() => ask(options, request, signal)))
    last = answer.catch(() => undefined)
    return answer
  }
}

async function ask(
  { host, theme, stop }: QuestionOptions,
  request: PermissionRequest,
  signal: AbortSignal,
): Promise<PermissionReply> {
  if (signal.aborted) return "reject"
  host.stderr.write(`${questionLines(request, host.stderr.columns, theme).join("\n")}\n`)
  const lines = createInterface({ input: host.stdin, output: host.stderr.stream })
  const closed = new AbortController()
  lines.on("SIGINT", stop.interrupt)
  lines.once("close", () => closed.abort())
  try {
    for (;;) {
      const typed = await lines.question(`${theme.strong("allow?")} [y]es, [n]o, [a]lways: `, {
        signal: AbortSignal.any([signal, closed.signal]),
      })
      const reply = ANSWERS[typed.trim().toLowerCase()]
      if (reply) return reply
    }
  } catch {
    // The run is stopping, or the terminal closed.
    return "reject"
  } finally {
    lines.close()
  }
}

function questionLines({ permission, patterns, metadata }: PermissionRequest, columns: number, theme: Theme): string[] {
  const diff = typeof metadata["diff"] === "string" ? diffLines(metadata["diff"], columns, theme) : []
  return [
    ...patterns.map((pattern) =>
      clip(`${theme.warn("?")} ${theme.strong(permission)} ${plainLine(pattern)}`, columns + 20),
    ),
    ...diff,
  ]
}
