import { constants, open, realpath } from "node:fs/promises"
import { isAbsolute, relative, sep } from "node:path"
import { buffer } from "node:stream/consumers"
import { instructionText, LONGEST } from "./instruction-text.ts"

/** What a project calls its instructions, in order of preference. */
export const INSTRUCTION_NAMES = ["AGENTS.md", "CLAUDE.md", "CONTEXT.md"] as const

export interface Instruction {
  /** Absolute, as it was named or found; for what was fetched its address. */
  readonly path: string
  readonly text: string
}

export interface InstructionFile extends Instruction {
  /** Where links lead to. */
  readonly target: string
}

/**
 * A regular file with its first 1 MiB; undefined where there is none that can be read, or nothing in it. With `within`
 * links count only where they lead to a file inside of that directory.
 */
export async function readInstructionFile(path: string, within?: string): Promise<InstructionFile | undefined> {
  const [target, root] = await Promise.all([realPath(path), within === undefined ? undefined : realPath(within)])
  if (target === undefined) return undefined
  if (within !== undefined && (root === undefined || !isInside(target, root))) return undefined
  const bytes = await readBeginning(target).catch(() => undefined)
  const text = bytes && instructionText(bytes)
  return text ? { path, target, text } : undefined
}

/** Undefined for what does not exist. */
export async function realPath(path: string): Promise<string | undefined> {
  return realpath(path).catch(() => undefined)
}

/** Also for the directory itself. */
export function isInside(path: string, directory: string): boolean {
  const below = relative(directory, path)
  return below.split(sep)[0] !== ".." && !isAbsolute(below)
}

/** The form in which models read it. */
export function instructionBlock({ path, text }: Instruction): string {
  return `Instructions from: ${path}\n${text}`
}

/** One byte more than is wanted, where there is more; undefined for what is no regular file. */
async function readBeginning(path: string): Promise<Buffer | undefined> {
  // Without O_NONBLOCK opening a named pipe waits until somebody writes to it.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const stats = await file.stat()
    if (!stats.isFile()) return undefined
    return await buffer(file.createReadStream({ end: LONGEST, autoClose: false }))
  } finally {
    await file.close()
  }
}
