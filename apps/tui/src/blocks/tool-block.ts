import { resolve } from "node:path"
import type { ToolPart } from "@pawl/core/record"
import { plainLine } from "@pawl/plain-text"
import { maskedStrings } from "@pawl/secrets"
import { toolLines } from "@pawl/terminal-text/tool-lines"
import { toolSubject } from "@pawl/terminal-text/tool-subject"
import { clip } from "@pawl/terminal-text/width"
import { fileLink } from "../terminal/sequences.ts"
import type { BlockLayout } from "./layout.ts"
import { shownText } from "./shown-text.ts"

const FOLDED_LINES = 4
const UNFOLDED_LINES = 400
const INDENT = "    "

/** Lines of output of a command that the user runs. */
const OWN_LINES = 40

/**
 * Renders a call: what it does in one line, then its diff or the end of its output. `isOwn`: the call of the user above
 * it says what it does.
 */
export function toolBlockLines(stored: ToolPart, layout: BlockLayout, isOwn = false): string[] {
  const part = maskedStrings(stored, layout.mask)
  if (isOwn && isCommand(part)) return ownLines(part, layout)
  if (part.state.status === "pending" || part.state.status === "running") return openLines(part, layout)
  const lines = linked(toolLines(part, layout), part, layout)
  const output = shownOutput(part, layout)
  return lines.length > 1 && !layout.isUnfolded ? lines : [...lines, ...output]
}

/** Makes the path in the first line a link to its file. */
function linked(lines: string[], part: ToolPart, { directory, hasLinks = false }: BlockLayout): string[] {
  const [first, ...others] = lines
  const path: unknown = part.state.input["filePath"]
  if (!hasLinks || first === undefined || typeof path !== "string") return lines
  const shown = toolSubject(part, directory)
  const at = first.indexOf(shown)
  if (shown === "" || at < 0) return lines
  const link = fileLink(resolve(directory, path), shown)
  return [`${first.slice(0, at)}${link}${first.slice(at + shown.length)}`, ...others]
}

function isCommand({ tool, state }: ToolPart): boolean {
  if (tool !== "bash") return false
  return state.status === "running" || (state.status === "completed" && typeof state.metadata["exit"] === "number")
}

/** Renders the output of a command, and its exit code if it failed. */
function ownLines(part: ToolPart, layout: BlockLayout): string[] {
  if (part.state.status !== "completed") return outputLines(runningOutput(part), layout, OWN_LINES)
  const { exit, output } = part.state.metadata
  const lines = outputLines(typeof output === "string" ? output : part.state.output, layout, OWN_LINES)
  if (exit !== 0) return [...lines, layout.theme.bad(`${INDENT}exit ${Number(exit)}`)]
  return lines.length > 0 ? lines : [layout.theme.faint(`${INDENT}no output`)]
}

function openLines(part: ToolPart, layout: BlockLayout): string[] {
  const { theme, columns } = layout
  const name = plainLine(part.tool)
  const subject = toolSubject(part, layout.directory) || "…"
  const first = `${theme.warn("○")} ${theme.strong(name)} ${clip(subject, columns - name.length - 3)}`.trimEnd()
  return [first, ...outputLines(runningOutput(part), layout)]
}

function runningOutput({ state }: ToolPart): string {
  if (state.status !== "running") return ""
  const output = state.metadata?.["output"]
  return typeof output === "string" ? output : ""
}

/** Tools whose output is for the user, too. The output of others is for the model. */
const SHOWN_OUTPUTS = new Set(["bash", "bash_output"])

function shownOutput({ tool, state }: ToolPart, layout: BlockLayout): string[] {
  if (state.status !== "completed" || (!layout.isUnfolded && !SHOWN_OUTPUTS.has(tool))) return []
  const output = state.metadata["output"]
  return outputLines(typeof output === "string" ? output : state.output, layout)
}

function outputLines(
  output: string,
  { columns, theme, isUnfolded }: BlockLayout,
  foldedLines: number = FOLDED_LINES,
): string[] {
  const lines = shownText(output)
    .split("\n")
    .filter((line) => line.trim() !== "")
  const most = isUnfolded ? UNFOLDED_LINES : foldedLines
  // A line that says how many are missing takes no less room than one line.
  const room = lines.length === most + 1 ? lines.length : most
  const shown = lines.slice(-room).map((line) => theme.faint(clip(`${INDENT}${line.replaceAll("\t", "  ")}`, columns)))
  const left = lines.length - shown.length
  return left > 0 ? [theme.faint(`${INDENT}… ${left} more ${left === 1 ? "line" : "lines"}`), ...shown] : shown
}
