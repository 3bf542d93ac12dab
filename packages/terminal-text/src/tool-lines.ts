import type { ToolPart } from "@pawl/core/record"
import { diffLines } from "./diff-lines.ts"
import { wrap } from "./flow.ts"
import { plainLine, plainText } from "@pawl/plain-text"
import { dollars, duration, plural } from "./quantity.ts"
import type { Theme } from "./theme.ts"
import { toolSubject } from "./tool-subject.ts"
import { clip, columnsOf } from "./width.ts"

export interface ToolLinesLayout {
  readonly columns: number
  readonly theme: Theme
  /** Paths are shown relative to it. */
  readonly directory: string
}

type Completed = Extract<ToolPart["state"], { status: "completed" }>

interface Telling {
  /** Facts behind the subject: `24 lines`, `exit 1`. */
  readonly facts: readonly string[]
  readonly isBad?: boolean
  /** Lines below, already styled. */
  readonly below?: readonly string[]
}

/** Columns. */
const MIN_SUBJECT_COLUMNS = 12
const LAST_LINES = 6
const ERROR_LINES = 4
const INDENT = "    "

/** Renders a call in one line, with the diff of an edit or the end of a failed command's output below it. */
export function toolLines(part: ToolPart, layout: ToolLinesLayout): string[] {
  const { facts, isBad = false, below = [] } = telling(part, layout)
  const { theme } = layout
  const mark = isBad ? theme.bad("✗") : theme.good("●")
  const tail = facts.filter((fact) => fact !== "").map((fact) => ` · ${fact}`)
  const name = plainLine(part.tool)
  const beside = layout.columns - 3 - columnsOf(name)
  const room = beside - columnsOf(tail.join(""))
  const whole = toolSubject(part, layout.directory)
  // Where next to nothing of the subject would be left, the facts have a line of their own.
  const isNarrow = whole !== "" && tail.length > 0 && room < Math.min(MIN_SUBJECT_COLUMNS, columnsOf(whole))
  const subject = clip(whole, isNarrow ? Math.max(beside, 1) : room)
  const first = `${mark} ${theme.strong(name)}${subject === "" ? "" : ` ${subject}`}`
  if (!isNarrow) return [`${first}${theme.faint(tail.join(""))}`, ...below]
  const aside = wrap(tail.join("").slice(" · ".length), Math.max(layout.columns - INDENT.length, 1))
  return [first, ...aside.map((line) => `${INDENT}${theme.faint(line)}`), ...below]
}

function telling(part: ToolPart, layout: ToolLinesLayout): Telling {
  const { state } = part
  if (state.status === "error") return failed(state.error, layout)
  if (state.status !== "completed") return { facts: [state.status] }
  // A model may call a tool by any name: that of what every object has, too.
  const tell = Object.hasOwn(tellings, part.tool) ? tellings[part.tool] : undefined
  return (tell ?? tellOther)(state, layout)
}

type Tell = (state: Completed, layout: ToolLinesLayout) => Telling

const tellings: Readonly<Record<string, Tell>> = {
  read: (state) => ({ facts: [readExtent(state)] }),
  list: (state) => ({ facts: [amount(state, "entry", "entries")] }),
  glob: (state) => ({ facts: [amount(state, "file")] }),
  grep: (state) => ({ facts: [amount(state, "match", "matches")] }),
  edit: tellChange,
  multiedit: tellChange,
  apply_patch: tellChange,
  write: tellChange,
  bash: tellCommand,
  bash_output: tellCommand,
  bash_kill: tellCommand,
  task: tellTask,
  todowrite: tellTodos,
  webfetch: tellPage,
  question: tellAnswers,
}

function tellTask({ metadata, output, time }: Completed, layout: ToolLinesLayout): Telling {
  const { agent, cost, status } = metadata
  const isBad = status === "failed"
  const facts = [
    typeof agent === "string" ? plainLine(agent) : "",
    isBad ? "not finished" : "",
    typeof cost === "number" && cost > 0 ? dollars(cost) : "",
    duration(time.end - time.start),
  ]
  const [, words = ""] = /<task_(?:result|error)>\n([\s\S]*?)\n<\/task_(?:result|error)>/.exec(output) ?? []
  const first = plainText(words)
    .split("\n")
    .find((line) => line.trim() !== "")
  return { facts, isBad, below: faintLines(first === undefined ? [] : [first], layout) }
}

const TODO_MARKS: Readonly<Record<string, string>> = { completed: "✓", in_progress: "▸", cancelled: "×" }

function tellTodos({ metadata }: Completed, { columns, theme }: ToolLinesLayout): Telling {
  const todos: readonly unknown[] = Array.isArray(metadata["todos"]) ? metadata["todos"] : []
  const below = todos.flatMap((todo) => {
    const { content, status } = (typeof todo === "object" && todo !== null ? todo : {}) as Record<string, unknown>
    if (typeof content !== "string" || typeof status !== "string") return []
    const line = clip(`${INDENT}${TODO_MARKS[status] ?? "○"} ${plainLine(content)}`, columns)
    return [status === "in_progress" ? theme.strong(line) : theme.faint(line)]
  })
  return { facts: [], below }
}

function tellPage(state: Completed): Telling {
  const { status, redirect } = state.metadata
  if (typeof redirect === "string") return { facts: [`redirects to ${plainLine(redirect)}`, took(state)] }
  return { facts: [typeof status === "number" && status !== 200 ? `status ${status}` : "", took(state)] }
}

function tellAnswers({ metadata }: Completed, layout: ToolLinesLayout): Telling {
  const answers: readonly unknown[] = Array.isArray(metadata["answers"]) ? metadata["answers"] : []
  const lines = answers.map((chosen) => (Array.isArray(chosen) && chosen.length > 0 ? chosen.join(", ") : "no answer"))
  return {
    facts: [],
    below: faintLines(
      lines.map((line) => plainLine(line)),
      layout,
    ),
  }
}

function tellOther(state: Completed): Telling {
  return { facts: [took(state)] }
}

function tellChange({ metadata }: Completed, { columns, theme }: ToolLinesLayout): Telling {
  const patch = typeof metadata["diff"] === "string" ? metadata["diff"] : ""
  const added = patch.match(/^\+(?!\+\+ )/gm)?.length ?? 0
  const removed = patch.match(/^-(?!-- )/gm)?.length ?? 0
  const isNew = metadata["exists"] === false
  return { facts: [isNew ? "new" : "", `+${added} -${removed}`], below: diffLines(patch, columns, theme) }
}

function tellCommand(state: Completed, layout: ToolLinesLayout): Telling {
  const { exit, jobID, status } = state.metadata
  if (typeof jobID === "string" && status === "running")
    return { facts: [`job ${plainLine(jobID)}, in the background`] }
  if (exit === 0) return { facts: [took(state)] }
  const output = typeof state.metadata["output"] === "string" ? state.metadata["output"] : state.output
  const facts = [typeof exit === "number" ? `exit ${exit}` : "ended", took(state)]
  return { facts, isBad: true, below: faintLines(lastLines(output), layout) }
}

function failed(error: string, layout: ToolLinesLayout): Telling {
  const lines = wrap(plainText(error).trim(), layout.columns - INDENT.length)
  return { facts: [], isBad: true, below: faintLines(lines.slice(0, ERROR_LINES), layout) }
}

function lastLines(output: string): string[] {
  const lines = plainText(output)
    .split("\n")
    .filter((line) => line.trim() !== "")
  return lines.slice(-LAST_LINES)
}

function faintLines(lines: readonly string[], { columns, theme }: ToolLinesLayout): string[] {
  return lines.map((line) => theme.faint(clip(`${INDENT}${line.trimEnd().replaceAll("\t", "  ")}`, columns)))
}

function readExtent({ output, attachments }: Completed): string {
  if (attachments?.[0]) return plainLine(attachments[0].mime)
  const lines = output.match(/^\d+: /gm)?.length
  if (lines !== undefined) return plural(lines, "line")
  return output.includes("<type>directory</type>") ? "directory" : ""
}

/** Renders the number of results from a search's metadata. */
function amount({ metadata }: Completed, noun: string, nouns = `${noun}s`): string {
  const found = metadata["count"] ?? metadata["matches"]
  if (typeof found !== "number") return ""
  const isMore = metadata["truncated"] === true
  return isMore ? `${found}+ ${nouns}` : plural(found, noun, nouns)
}

function took({ time }: Completed): string {
  const milliseconds = time.end - time.start
  return milliseconds >= 100 ? duration(milliseconds) : ""
}
