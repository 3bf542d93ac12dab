import { readFile } from "node:fs/promises"
import { dirname, join } from "node:path"

const NAMES = ["AGENTS.md", "CLAUDE.md", "CONTEXT.md"]

export interface InstructionPlaces {
  readonly directory: string
  readonly worktree: string
  /** More files, absolute, in their order; where one is missing it is left out. */
  readonly files: readonly string[]
}

/**
 * Instruction files as blocks for the system prompt. Of the three names the first that exists anywhere from the
 * directory up to the worktree counts, and then every file of that name on the way, outermost first.
 */
export async function readInstructions({ directory, worktree, files }: InstructionPlaces): Promise<string[]> {
  const directories = upward(directory, worktree).toReversed()
  const found = await Promise.all(
    NAMES.map((name) => Promise.all(directories.map((each) => readBlock(join(each, name))))),
  )
  const project = found.map((blocks) => blocks.filter((block) => block !== undefined)).find(({ length }) => length > 0)
  const more = await Promise.all(files.map((file) => readBlock(file)))
  return [...(project ?? []), ...more.filter((block) => block !== undefined)]
}

function upward(from: string, to: string): string[] {
  const directories = [from]
  for (let at = from; at !== to && dirname(at) !== at;) directories.push((at = dirname(at)))
  return directories
}

async function readBlock(path: string): Promise<string | undefined> {
  const text = await readFile(path, "utf8").catch(() => "")
  return text.trim() === "" ? undefined : `Instructions from: ${path}\n${text.trim()}`
}
