import { constants, open, realpath } from "node:fs/promises"
import { isAbsolute, relative, sep } from "node:path"
import { buffer } from "node:stream/consumers"
import type { Instruction } from "@pawl/core/host"
import { instructionText, MAX_INSTRUCTION_BYTES } from "./instruction-text.ts"

/** Names of a project's instruction file, in order of preference. */
export const INSTRUCTION_NAMES = ["AGENTS.md", "CLAUDE.md", "CONTEXT.md"] as const

export interface InstructionFile extends Instruction {
  /** Path with links resolved. */
  readonly target: string
}

/**
 * Reads the first 1 MiB of a regular file; undefined if it is empty or cannot be read. With `within`, a link is
 * followed only to a file inside of that directory.
 */
export async function readInstructionFile(path: string, within?: string): Promise<InstructionFile | undefined> {
  const [target, root] = await Promise.all([realPath(path), within === undefined ? undefined : realPath(within)])
  if (target === undefined) return undefined
  if (within !== undefined && (root === undefined || !isInside(target, root))) return undefined
  const bytes = await readBeginning(target).catch(() => undefined)
  const text = bytes && instructionText(bytes)
  return text ? { path, target, text } : undefined
}

/** Resolves links; undefined if the path does not exist. */
export async function realPath(path: string): Promise<string | undefined> {
  return realpath(path).catch(() => undefined)
}

/** Returns whether a path is the directory or lies below it. */
export function isInside(path: string, directory: string): boolean {
  const below = relative(directory, path)
  return below.split(sep)[0] !== ".." && !isAbsolute(below)
}

/**
 * Reads up to one byte more than the limit, so that callers notice a longer file; undefined if it is not a regular
 * file.
 */
async function readBeginning(path: string): Promise<Buffer | undefined> {
  // Without O_NONBLOCK, opening a named pipe waits for a writer.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const stats = await file.stat()
    if (!stats.isFile()) return undefined
    return await buffer(file.createReadStream({ end: MAX_INSTRUCTION_BYTES, autoClose: false }))
  } finally {
    await file.close()
  }
}
