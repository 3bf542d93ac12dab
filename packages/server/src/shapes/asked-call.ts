import { readFileSync, statSync } from "node:fs"
import { isAbsolute, relative, resolve, sep } from "node:path"
import type { ToolPart } from "@pawl/core/record"
import { createTwoFilesPatch } from "diff"

/** Texts are compared up to this length. */
const MAX_LENGTH = 256 * 1024
const MAX_CHANGED_LINES = 1000

/**
 * Returns the details that OpenCode's clients show with a question: the command, or the file and the difference that the
 * call would make in it. Empty for other calls, and without a difference if the texts are too long.
 */
export function askedCallDetails({ state }: Pick<ToolPart, "state">, directory: string): Record<string, unknown> {
  const { command, description, filePath, oldString, newString, content, patchText } = inputOf(state)
  if (typeof command === "string") {
    return { command, ...(typeof description === "string" ? { description } : {}) }
  }
  if (typeof patchText === "string") return { diff: patchText.slice(0, MAX_LENGTH) }
  if (typeof filePath !== "string" || filePath.includes("\0")) return {}
  const filepath = isAbsolute(filePath) ? filePath : resolve(directory, filePath)
  const [before, after] =
    typeof content === "string"
      ? [isShown(filepath, directory) ? textOf(filepath) : undefined, content]
      : [oldString, newString]
  if (typeof before !== "string" || typeof after !== "string") return { filepath }
  if (before.length > MAX_LENGTH || after.length > MAX_LENGTH) return { filepath }
  const diff = createTwoFilesPatch(filepath, filepath, before, after, undefined, undefined, {
    maxEditLength: MAX_CHANGED_LINES,
  })
  return { filepath, ...(diff === undefined ? {} : { diff }) }
}

/** Returns false for hidden files and for files outside of the directory, which may hold secrets. */
function isShown(path: string, directory: string): boolean {
  const name = relative(directory, path)
  return name !== "" && !isAbsolute(name) && !name.split(sep).some((segment) => segment.startsWith("."))
}

/** Returns the arguments of a call. Those of a call that has not begun are still text. */
function inputOf(state: ToolPart["state"]): Readonly<Record<string, unknown>> {
  if (state.status !== "pending" || Object.keys(state.input).length > 0) return state.input
  try {
    const parsed: unknown = JSON.parse(state.raw)
    return typeof parsed === "object" && parsed !== null ? (parsed as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

/** Returns the text of a regular file, "" for a missing one, and undefined if it is too long or cannot be read. */
function textOf(path: string): string | undefined {
  try {
    const found = statSync(path, { throwIfNoEntry: false })
    if (!found) return ""
    return found.isFile() && found.size <= MAX_LENGTH ? readFileSync(path, "utf8") : undefined
  } catch {
    return undefined
  }
}
