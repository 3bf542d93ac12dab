import { createInterface } from "node:readline/promises"
import type { AskPermission, PermissionReply, PermissionRequest } from "@pawl/core"
import { wrap } from "../render/flow.ts"
import { visibleText } from "../render/plain.ts"
import type { Theme } from "../render/theme.ts"
import { clip, columnsOf } from "../render/width.ts"
import type { Host } from "../host.ts"
import type { RunView } from "./run-view.ts"
import type { Stop } from "./stop.ts"
import { dropTypedAhead } from "./typed-ahead.ts"

export interface QuestionOptions {
  readonly host: Pick<Host, "stdin" | "stderr">
  readonly theme: Theme
  readonly view: Pick<RunView, "ask">
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
    const answer = last.then(async (): Promise<PermissionReply> => {
      if (signal.aborted) return "reject"
      // What was typed before the question could be seen is no answer to it.
      await dropTypedAhead(host.stdin, options.stop)
      if (signal.aborted) return "reject"
      const lines = questionLines(request, host.stderr.columns, options.theme)
      return view.ask(lines, () => readReply(options, signal))
    })
    last = answer.catch(() => undefined)
    return answer
  }
}

async function readReply({ host, theme, stop }: QuestionOptions, signal: AbortSignal): Promise<PermissionReply> {
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
    // The run is stopping, or the terminal closed: the cursor stands behind the question still.
    host.stderr.write("\n")
    return "reject"
  } finally {
    lines.close()
  }
}

/** What is to be allowed, in full and with all that could hide in it: who says yes has to have seen it. */
function questionLines(request: PermissionRequest, columns: number, theme: Theme): string[] {
  const { permission, patterns, always, metadata } = request
  const indent = " ".repeat(columnsOf(permission) + 3)
  const subjects = patterns.flatMap((pattern) => {
    const [first = "", ...rest] = shownLines(pattern, columns - indent.length)
    return [`${theme.warn("?")} ${theme.strong(permission)} ${first}`, ...rest.map((line) => indent + line)]
  })
  const file = permission === "external_directory" ? metadata["filepath"] : undefined
  const files = typeof file === "string" ? shownLines(file, columns - 2).map((line) => `  ${line}`) : []
  const wider = always.filter((pattern) => !patterns.includes(pattern)).map(oneLine)
  const offer = `  always: ${permission} ${wider.join(", ")}, until this run ends`
  return [...subjects, ...files, ...(wider.length > 0 ? [theme.faint(clip(offer, columns))] : [])]
}

function shownLines(text: string, columns: number): string[] {
  return visibleText(text)
    .trimEnd()
    .split("\n")
    .flatMap((line) => wrap(line.replaceAll("\t", "  "), columns))
}

function oneLine(text: string): string {
  return visibleText(text).replaceAll(/\s+/g, " ").trim()
}
