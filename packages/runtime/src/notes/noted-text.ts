import { plainText } from "@pawl/plain-text"

const HEADING = "## Notes"

/**
 * Adds a note to the Markdown of an instruction file: as the last item below the heading "Notes", which is added if it is
 * missing. The rest of the text stays as it is.
 */
export function notedText(text: string, note: string): string {
  const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? []
  const lineBreak = lines[0]?.endsWith("\r\n") ? "\r\n" : "\n"
  const item = plainText(note.replaceAll(/\r\n?/g, "\n"))
    .split("\n")
    .map((line, at) => (at === 0 ? `- ${line}` : `  ${line}`.trimEnd()))
  const added = (before: readonly string[], section: readonly string[], after: readonly string[]) => {
    const end = before.length === 0 || before.at(-1)?.endsWith("\n") ? "" : lineBreak
    return [...before, end, ...section.map((line) => line + lineBreak), ...after].join("")
  }
  const heading = headings(lines).find(({ line }) => /^\uFEFF?## Notes\s*#*\s*$/.test(lines[line] ?? ""))
  if (!heading) {
    const gap = lines.length > 0 && lines.at(-1)?.trim() !== "" ? [""] : []
    return added(lines, [...gap, HEADING, "", ...item], [])
  }
  const next = headings(lines).find(({ line, level }) => line > heading.line && level <= 2)?.line ?? lines.length
  const last = lines.findLastIndex((line, at) => at < next && line.trim() !== "")
  const gap = last > heading.line ? [] : [""]
  return added(lines.slice(0, last + 1), [...gap, ...item], lines.slice(last + 1))
}

/** Returns the headings outside of code blocks. */
function headings(lines: readonly string[]): { readonly line: number; readonly level: number }[] {
  let fence: string | undefined
  return lines.flatMap((text, line) => {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(text)?.[1]
    if (mark !== undefined && fence === undefined) fence = mark
    else if (mark !== undefined && fence !== undefined && mark.startsWith(fence)) fence = undefined
    const level = fence === undefined ? /^\uFEFF?(#{1,6})\s/.exec(text)?.[1]?.length : undefined
    return level === undefined ? [] : [{ line, level }]
  })
}
