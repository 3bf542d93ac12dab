import { PLACEHOLDER, type Replacements, replacementsFor } from "./placeholder.ts"
import { shellCommand } from "./shell-command.ts"

export type TemplatePiece =
  | { readonly type: "text"; readonly text: string }
  /** A shell command, to be replaced by its output. */
  | { readonly type: "shell"; readonly command: string }
  /** A file, or an agent if no file has this name. If there is neither, `text`, the original spelling, remains. */
  | { readonly type: "file"; readonly path: string; readonly text: string }

/** A command between !` and `, or a path after @ that does not belong to an email address. */
const PIECE = /!`([^`]+)`|(?<![\w`@])@(?!@)(\.?[^\s`,.]*(?:\.[^\s`,.]+)*)/g

/**
 * Expands a command's template to pieces, without running or reading anything. `$1`, `$2` … are single words; the highest
 * of them takes all remaining ones; `$ARGUMENTS` is the whole text. Without a placeholder, arguments follow after a blank
 * line. Arguments are data: commands and files in them stay text. In a shell command each of their words is quoted;
 * throws TemplateError if that is not possible.
 */
export function expandTemplate(template: string, given: string): TemplatePiece[] {
  const replacements = replacementsFor(template, given)
  const pieces: TemplatePiece[] = []
  let end = 0

  for (const match of template.matchAll(PIECE)) {
    const [whole, command, path = ""] = match
    const written = command === undefined ? withoutPunctuation(path) : ""
    if (command === undefined && written === "") continue
    pieces.push(textPiece(template.slice(end, match.index), replacements))
    end = match.index + (command === undefined ? 1 + written.length : whole.length)
    pieces.push(command === undefined ? filePiece(written, replacements) : shellPiece(command, replacements))
  }
  pieces.push(textPiece(template.slice(end), replacements))
  if (replacements.isEmpty && replacements.text !== "") {
    const gap = template.trim() === "" ? "" : "\n\n"
    pieces.push({ type: "text", text: gap + replacements.text })
  }
  return joined(pieces)
}

function textPiece(text: string, replacements: Replacements): TemplatePiece {
  return { type: "text", text: filled(text, replacements) }
}

function filePiece(written: string, replacements: Replacements): TemplatePiece {
  const path = filled(written, replacements)
  return path === "" ? { type: "text", text: "@" } : { type: "file", path, text: `@${path}` }
}

function shellPiece(command: string, replacements: Replacements): TemplatePiece {
  return { type: "shell", command: shellCommand(command, (placeholder) => replacements.words(placeholder)) }
}

function filled(text: string, replacements: Replacements): string {
  return text.replaceAll(new RegExp(PLACEHOLDER, "g"), (placeholder) => {
    return placeholder === "$ARGUMENTS" ? replacements.text : replacements.words(placeholder).join(" ")
  })
}

/** No path is longer. */
const MAX_PATH_LENGTH = 4096

/** Removes punctuation after a path. Returns an empty string if it is not a path. */
function withoutPunctuation(path: string): string {
  if (path.length > MAX_PATH_LENGTH) return ""
  let trimmed = path
  while (endsOutside(trimmed)) trimmed = trimmed.slice(0, -1)
  return trimmed
}

function endsOutside(path: string): boolean {
  const last = path.at(-1) ?? ""
  const opening = { ")": "(", "]": "[", "}": "{" }[last]
  return opening === undefined ? /[;:!?"'>]/.test(last) : !path.includes(opening)
}

function joined(pieces: readonly TemplatePiece[]): TemplatePiece[] {
  const result: TemplatePiece[] = []
  for (const piece of pieces) {
    const last = result.at(-1)
    if (piece.type !== "text") result.push(piece)
    else if (last?.type === "text") result[result.length - 1] = { type: "text", text: last.text + piece.text }
    else if (piece.text !== "") result.push(piece)
  }
  return result
}
