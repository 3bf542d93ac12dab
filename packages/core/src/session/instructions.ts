import { constants, open, realpath } from "node:fs/promises"
import { dirname, join, relative, sep } from "node:path"
import { buffer } from "node:stream/consumers"

const NAMES = ["AGENTS.md", "CLAUDE.md", "CONTEXT.md"]

/** Bytes of one file. */
const LONGEST = 1_048_576

export interface InstructionPlaces {
  readonly directory: string
  readonly worktree: string
  /** More files, absolute, in their order; where one is missing it is left out. */
  readonly files: readonly string[]
}

/**
 * Instruction files as blocks for the system prompt. Of the three names the first that exists anywhere from the
 * directory up to the worktree counts, and then every file of that name on the way, outermost first.
 * Only regular files that can be read count, each with its first 1 MiB. Links in the project count where they lead to a
 * file of the worktree: whoever wrote the project chose them, and the text is sent to the model.
 */
export async function readInstructions({ directory, worktree, files }: InstructionPlaces): Promise<string[]> {
  const directories = upward(directory, worktree).toReversed()
  const found = await Promise.all(
    NAMES.map((name) => Promise.all(directories.map((each) => readBlockWithin(worktree, join(each, name))))),
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

async function readBlockWithin(worktree: string, path: string): Promise<string | undefined> {
  const [root, target] = await Promise.all([worktree, path].map((each) => realpath(each).catch(() => undefined)))
  if (root === undefined || target === undefined || relative(root, target).split(sep)[0] === "..") return undefined
  return readBlock(path, target)
}

/** Of what lies at `target`; the block names it `path`. */
async function readBlock(path: string, target = path): Promise<string | undefined> {
  const bytes = await readBeginning(target).catch(() => undefined)
  if (!bytes) return undefined
  const isCut = bytes.length > LONGEST
  // In a stream, so that a character which the cut halves is left out.
  const text = new TextDecoder().decode(bytes.subarray(0, LONGEST), { stream: isCut }).trim()
  if (text === "") return undefined
  return `Instructions from: ${path}\n${text}${isCut ? "\n\n(The file goes on: only its first 1 MiB is given here.)" : ""}`
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
