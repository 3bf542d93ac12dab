import { dirname, join } from "node:path"
import type { Instruction, InstructionQuery, Instructions } from "@pawl/core/host"
import { INSTRUCTION_NAMES, readInstructionFile } from "./instruction-file.ts"
import { createRemoteReader, isAddress, type ReadRemote } from "./remote.ts"

export interface InstructionSources extends InstructionQuery {
  /** Default: fetches each address again. */
  readonly readRemote?: ReadRemote
}

/**
 * Loads the instructions of a session. Of the three names, uses the first that has a file anywhere from the directory
 * up to the worktree, and reads every file of that name on the way, outermost first. Reads the first 1 MiB of each
 * regular file once, however many links lead to it. Follows links in the project only to files of the worktree: the
 * author of the project chose them, and the text is sent to the model. Reads everything in parallel, so that a slow
 * source costs only its own time.
 */
export async function loadInstructions(places: InstructionSources): Promise<Instructions> {
  const { directory, worktree, files, readRemote = createRemoteReader() } = places
  const [project, more] = await Promise.all([
    readProject(directory, worktree),
    Promise.all(files.map((file) => (isAddress(file) ? readAddress(file, readRemote) : readInstructionFile(file)))),
  ])
  const seen = new Set<string>()
  const instructions: Instruction[] = []
  const notices: string[] = []
  for (const found of [...project, ...more]) {
    if (found && "notice" in found) notices.push(found.notice)
    if (!found || "notice" in found || seen.has(found.target)) continue
    seen.add(found.target)
    instructions.push({ path: found.path, text: found.text })
  }
  return { instructions, notices: [...new Set(notices)] }
}

async function readProject(directory: string, worktree: string) {
  const directories = upward(directory, worktree).toReversed()
  const found = await Promise.all(
    INSTRUCTION_NAMES.map((name) => {
      return Promise.all(directories.map((each) => readInstructionFile(join(each, name), worktree)))
    }),
  )
  return found.map((files) => files.filter((file) => file !== undefined)).find(({ length }) => length > 0) ?? []
}

async function readAddress(address: string, readRemote: ReadRemote) {
  const remote = await readRemote(address)
  return remote.type === "failed" ? { notice: remote.notice } : { ...remote.instruction, target: address }
}

function upward(from: string, to: string): string[] {
  const directories = [from]
  for (let at = from; at !== to && dirname(at) !== at;) directories.push((at = dirname(at)))
  return directories
}
