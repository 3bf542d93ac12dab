import { stat } from "node:fs/promises"
import { dirname, join, relative, resolve, sep } from "node:path"
import {
  INSTRUCTION_NAMES,
  type Instruction,
  instructionBlock,
  type InstructionFile,
  isInside,
  readInstructionFile,
  realPath,
} from "./instruction-file.ts"

export interface NestedPlace {
  /** Where the session works; what lies in it or above is part of the system prompt. */
  readonly directory: string
  readonly worktree: string
  /** The file or directory that the agent has come to. Beyond `directory` there is nothing nested. */
  readonly path: string
  /** Absolute paths of what the model has read already. What is given is added to it. */
  readonly loaded: Set<string>
}

/**
 * The instruction files between the session's directory and `path` that the model has not read yet, outermost first: of
 * each directory the first of the three names. Each file once, whatever links lead to it, also when several calls come
 * to its directory side by side. Links count where they lead to a file of the worktree. The file at `path` itself is not
 * among them: whoever came to it has it before them.
 */
export async function nestedInstructions({ directory, worktree, path, loaded }: NestedPlace): Promise<Instruction[]> {
  const reached = resolve(directory, path)
  const entered = below(directory, await directoryOf(reached))
  const found = await Promise.all(entered.map((each) => firstOf(each, worktree, loaded)))
  const files = found.filter((file) => file !== undefined)
  if (files.length === 0) return []
  const known = new Set(await Promise.all([reached, ...loaded].map((each) => realPath(each))))
  // Nothing is waited for from here on, so no other call gives the same.
  const given = files.filter(({ path: file, target }) => {
    if (loaded.has(file) || known.has(target)) return false
    known.add(target)
    loaded.add(file)
    return true
  })
  return given.map((file) => ({ path: file.path, text: file.text }))
}

/** For the end of the tool result with which the agent came there. */
export function renderNested(files: readonly Instruction[]): string {
  const blocks = files.map((file) => instructionBlock(file))
  const begin = "These instructions hold for what lies in the directories of their files."
  return ["<system-reminder>", [begin, ...blocks].join("\n\n"), "</system-reminder>"].join("\n")
}

async function directoryOf(path: string): Promise<string> {
  const stats = await stat(path).catch(() => undefined)
  return stats?.isDirectory() ? path : dirname(path)
}

/** From the one in `outer` that `inner` is in, down to `inner`. */
function below(outer: string, inner: string): string[] {
  if (!isInside(inner, outer)) return []
  const names = relative(outer, inner).split(sep)
  return names.flatMap((name, at) => (name === "" ? [] : [join(outer, ...names.slice(0, at + 1))]))
}

/** Undefined where there is none, and where it has been read. */
async function firstOf(
  directory: string,
  worktree: string,
  loaded: ReadonlySet<string>,
): Promise<InstructionFile | undefined> {
  for (const name of INSTRUCTION_NAMES) {
    const path = join(directory, name)
    // Not read once more: an agent comes to the same directories again and again.
    if (loaded.has(path)) return undefined
    const file = await readInstructionFile(path, worktree)
    if (file) return file
  }
  return undefined
}
