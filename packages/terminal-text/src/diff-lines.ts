import type { Theme } from "./theme.ts"
import { plainText } from "@pawl/plain-text"
import { clip } from "./width.ts"

const MAX_LINES = 24
const CONTEXT = 2

export interface DiffLine {
  readonly kind: "added" | "removed" | "context" | "gap"
  readonly text: string
}

/** A unified diff as lines for a terminal: without headers, little context, shortened when it is long. */
export function diffLines(patch: string, columns: number, theme: Theme): string[] {
  const lines = withLittleContext(parseDiff(patch))
  const shown = lines.length > MAX_LINES ? lines.slice(0, MAX_LINES - 1) : lines
  const styled = shown.map(({ kind, text }) => {
    if (kind === "gap") return theme.faint("    ⋮")
    const sign = { added: "+", removed: "-", context: " " }[kind]
    const style = { added: theme.added, removed: theme.removed, context: theme.faint }[kind]
    return style(clip(`  ${sign} ${plainText(text).replaceAll("\t", "  ")}`.trimEnd(), columns))
  })
  const left = lines.length - shown.length
  return left > 0 ? [...styled, theme.faint(`    … ${left} more lines`)] : styled
}

export function parseDiff(patch: string): DiffLine[] {
  const lines: DiffLine[] = []
  let isInHunk = false
  for (const line of patch.split("\n")) {
    if (line.startsWith("@@")) {
      if (isInHunk) lines.push({ kind: "gap", text: "" })
      isInHunk = true
    } else if (isInHunk && line.startsWith("+")) lines.push({ kind: "added", text: line.slice(1) })
    else if (isInHunk && line.startsWith("-")) lines.push({ kind: "removed", text: line.slice(1) })
    else if (isInHunk && line.startsWith(" ")) lines.push({ kind: "context", text: line.slice(1) })
  }
  return lines
}

export function withLittleContext(lines: readonly DiffLine[]): DiffLine[] {
  const isChange = (line: DiffLine | undefined) => line?.kind === "added" || line?.kind === "removed"
  const isNear = (index: number) => lines.slice(Math.max(0, index - CONTEXT), index + CONTEXT + 1).some(isChange)
  const kept: DiffLine[] = []
  for (const [index, line] of lines.entries()) {
    if (line.kind !== "context" || isNear(index)) kept.push(line)
    else if (kept.length > 0 && kept.at(-1)?.kind !== "gap") kept.push({ kind: "gap", text: "" })
  }
  while (isBlank(kept.at(-1))) kept.pop()
  return kept
}

function isBlank(line: DiffLine | undefined): boolean {
  return line?.kind === "gap" || (line?.kind === "context" && line.text.trim() === "")
}
