import { dirname } from "node:path"
import type { ReadRules } from "./read-rules.ts"
import { runProgram } from "./run-program.ts"

export interface FileQuery {
  readonly directory: string
  readonly query: string
  /** Default: files and directories. */
  readonly type?: "file" | "directory" | undefined
  readonly limit: number
  /** Denied files are left out. */
  readonly rules: ReadRules
}

/** Returns paths that contain the query's letters in order, the shortest first. Directories end with a slash. */
export async function findFiles(
  ripgrep: string,
  { directory, query, type, limit, rules }: FileQuery,
): Promise<string[]> {
  const listed = await runProgram(ripgrep, ["--files", "--hidden", "--glob", "!.git"], { directory })
  const files = (listed ?? "").split("\n").filter((line) => line !== "")
  const found = [...(type === "directory" ? [] : files), ...(type === "file" ? [] : directoriesOf(files))]
  const fitting = found
    .filter((path) => holdsInOrder(path.toLowerCase(), query.toLowerCase()))
    .toSorted((a, b) => a.length - b.length || (a < b ? -1 : 1))
  const shown: string[] = []
  for (const path of fitting) {
    if (shown.length === limit) break
    if ((await rules(path)) !== "deny") shown.push(path)
  }
  return shown
}

function directoriesOf(files: readonly string[]): string[] {
  const found = new Set<string>()
  for (const file of files) {
    for (let parent = dirname(file); parent !== "." && !found.has(`${parent}/`); parent = dirname(parent)) {
      found.add(`${parent}/`)
    }
  }
  return [...found]
}

function holdsInOrder(text: string, letters: string): boolean {
  let from = 0
  for (const letter of letters) {
    const at = text.indexOf(letter, from)
    if (at === -1) return false
    from = at + letter.length
  }
  return true
}
