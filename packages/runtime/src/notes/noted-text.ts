const HEADING = "## Notes"

/** Adds a note to the Markdown of an instruction file: as the last item below the heading "Notes", which is added if it is missing. */
export function notedText(text: string, note: string): string {
  const lineBreak = /\r\n/.test(text) ? "\r\n" : "\n"
  const lines = text === "" ? [] : text.replace(/\r?\n$/, "").split(/\r?\n/)
  const item = note.split("\n").map((line, at) => (at === 0 ? `- ${line}` : `  ${line}`.trimEnd()))
  const heading = headings(lines).find(({ line }) => /^## Notes\s*#*\s*$/.test(lines[line] ?? ""))
  if (!heading) {
    const gap = lines.length > 0 && lines.at(-1)?.trim() !== "" ? [""] : []
    return `${[...lines, ...gap, HEADING, "", ...item].join(lineBreak)}${lineBreak}`
  }
  const next = headings(lines).find(({ line, level }) => line > heading.line && level <= 2)?.line ?? lines.length
  const last = lines.findLastIndex((line, at) => at < next && line.trim() !== "")
  const isBehindItem = last > heading.line
  const added = isBehindItem ? item : ["", ...item]
  const rest = lines.slice(last + 1)
  const before = lines.slice(0, last + 1)
  return `${[...before, ...added, ...rest].join(lineBreak)}${lineBreak}`
}

/** Returns the headings outside of code blocks. */
function headings(lines: readonly string[]): { readonly line: number; readonly level: number }[] {
  let fence: string | undefined
  return lines.flatMap((text, line) => {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(text)?.[1]
    if (mark !== undefined && fence === undefined) fence = mark
    else if (mark !== undefined && fence !== undefined && mark.startsWith(fence)) fence = undefined
    const level = fence === undefined ? /^(#{1,6})\s/.exec(text)?.[1]?.length : undefined
    return level === undefined ? [] : [{ line, level }]
  })
}
