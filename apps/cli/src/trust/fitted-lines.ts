import { foreignLines } from "@pawl/terminal-text/foreign-lines"

/** Lines of at most so many columns, each with the indent. Nothing in the text is hidden, and it stays on lines of its own. */
export function fittedLines(text: string, columns: number, indent: number): string[] {
  const inOne = text.replaceAll("\n", "^J").replaceAll("\t", "^I")
  return foreignLines(inOne, Math.max(columns - indent, 20)).map((line) => " ".repeat(indent) + line)
}
