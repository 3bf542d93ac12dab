import { type FileHandle, mkdir, open } from "node:fs/promises"
import { join } from "node:path"

export interface OutputFile {
  readonly path: string
  readonly handle: FileHandle
}

/**
 * Creates a file for a call's output that only its owner can read. The random name keeps others from preparing the
 * file.
 */
export async function createOutputFile(directory: string, callID: string): Promise<OutputFile> {
  await mkdir(directory, { recursive: true, mode: 0o700 })
  // Providers choose call ids, so they may contain anything.
  const name = callID.replaceAll(/[^A-Za-z0-9_-]/g, "_").slice(0, 64)
  const path = join(directory, `tool_${name}_${crypto.randomUUID().slice(0, 8)}.txt`)
  return { path, handle: await open(path, "wx", 0o600) }
}

/** Returns true for names that `createOutputFile` creates. */
export function isOutputName(name: string): boolean {
  return /^tool_[A-Za-z0-9_-]{0,64}_[0-9a-f]{8}\.txt$/.test(name)
}

/** The agent that reads a hint. */
export interface HintReader {
  /** Set if the agent may start subagents. Default: false. */
  readonly canDelegate?: boolean | undefined
}

/** Tells the model how to read the part of an output that was cut. */
export function outputHint(path: string, { canDelegate = false }: HintReader = {}): string {
  if (!canDelegate) return `Full output: ${path}. Use grep to search it or read with offset and limit.`
  return (
    `Full output: ${path}. Delegate looking through it to a subagent with the task tool: it can use grep, or read with ` +
    "offset and limit, and report what matters. Do not read all of it yourself."
  )
}

/** Replaces `outputHint` if the full output is not in a file. */
export const NO_FILE_HINT = "The rest was not kept in a file. Narrow the call down to see other parts."
