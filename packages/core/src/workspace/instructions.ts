import { dirname, join } from "node:path"
import { INSTRUCTION_NAMES, type Instruction, instructionBlock, readInstructionFile } from "./instruction-file.ts"
import { createRemoteReader, isAddress, type ReadRemote } from "./remote.ts"

export interface InstructionPlaces {
  readonly directory: string
  readonly worktree: string
  /** More of them: absolute paths and http(s) addresses, in their order; where a file is missing it is left out. */
  readonly files: readonly string[]
  /** Absent: each address is fetched anew. */
  readonly readRemote?: ReadRemote
}

export interface Instructions {
  /** In the order in which the system prompt has them. */
  readonly instructions: readonly Instruction[]
  /** For people: what was to be fetched and could not be. */
  readonly notices: readonly string[]
}

/**
 * The instructions of a session. Of the three names of the project's files the first that exists anywhere from the
 * directory up to the worktree counts, and then every file of that name on the way, outermost first. Only regular files
 * that can be read count, each with its first 1 MiB, and each once, whatever links lead to it. Links in the project
 * count where they lead to a file of the worktree: whoever wrote the project chose them, and the text is sent to the
 * model. Everything is read side by side, so that what is slow costs its own time and no more.
 */
export async function loadInstructions(places: InstructionPlaces): Promise<Instructions> {
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

/** The same as blocks for the system prompt, without the notices. */
export async function readInstructions(places: InstructionPlaces): Promise<string[]> {
  const { instructions } = await loadInstructions(places)
  return instructions.map((instruction) => instructionBlock(instruction))
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
