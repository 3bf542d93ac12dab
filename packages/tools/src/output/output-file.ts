import { type FileHandle, mkdir, open } from "node:fs/promises"
import { join } from "node:path"

export interface OutputFile {
  readonly path: string
  readonly handle: FileHandle
}

/** A new file for a call's output: readable by its owner alone, under a name that nobody else can have prepared. */
export async function createOutputFile(directory: string, callID: string): Promise<OutputFile> {
  await mkdir(directory, { recursive: true, mode: 0o700 })
  // Providers choose call ids, so they may hold anything.
  const name = callID.replaceAll(/[^A-Za-z0-9_-]/g, "_").slice(0, 64)
  const path = join(directory, `tool_${name}_${crypto.randomUUID().slice(0, 8)}.txt`)
  return { path, handle: await open(path, "wx", 0o600) }
}

/** Whether `createOutputFile` gives such names. */
export function isOutputName(name: string): boolean {
  return /^tool_[A-Za-z0-9_-]{0,64}_[0-9a-f]{8}\.txt$/.test(name)
}

/** Who reads a hint. */
export interface HintReader {
  /** Whether it may hand work to a subagent; absent: no. */
  readonly canDelegate?: boolean | undefined
}

/** Tells the model how to reach what it was not shown. */
export function outputHint(path: string, { canDelegate = false }: HintReader = {}): string {
  if (!canDelegate) return `Full output: ${path}. Use grep to search it or read with offset and limit.`
  return (
    `Full output: ${path}. Delegate looking through it to a subagent with the task tool: it can use grep, or read with ` +
    "offset and limit, and report what matters. Do not read all of it yourself."
  )
}

/** The same where the full output is in no file. */
export const NO_FILE_HINT = "The rest was not kept in a file. Narrow the call down to see other parts."
