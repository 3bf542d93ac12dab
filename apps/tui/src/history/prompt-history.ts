import { link, mkdir, open, readdir, readFile, rm, stat } from "node:fs/promises"
import { basename, dirname, join } from "node:path"

/** Prompts of the user over all sessions, for Up, Down and Ctrl-R. */
export interface PromptHistory {
  /** Returns the stored prompts, oldest first. */
  read(): Promise<readonly string[]>
  /** Stores a prompt with its secrets masked. Prompts that are too long are left out. */
  add(prompt: string): Promise<void>
}

export interface PromptHistoryOptions {
  /** Path of the file: one JSON object each line. */
  readonly file: string
  readonly mask: (text: string) => string
  /** Epoch milliseconds. */
  readonly now: () => number
  /** Default: 500, and as many again in the file before. */
  readonly maxEntries?: number
  /** Default: 512 KiB, and as many again in the file before. */
  readonly maxBytes?: number
}

const MAX_PROMPT_BYTES = 32 * 1024

/**
 * Opens the prompt history in a file that only its owner may read. Several processes may add at once: a line is one
 * append. A full file is kept as the file before:
 *
 *   prompts.jsonl ──full──▶ prompts-<inode>.jsonl ──next one──▶ removed
 */
export function openPromptHistory(options: PromptHistoryOptions): PromptHistory {
  const { file, mask, now, maxEntries = 500, maxBytes = 512 * 1024 } = options
  const directory = dirname(file)
  const name = basename(file, ".jsonl")

  async function filesBefore(): Promise<string[]> {
    const names = await readdir(directory).catch(() => [])
    const found = await Promise.all(
      names
        .filter((each) => each.startsWith(`${name}-`) && /-\d+\.jsonl$/.test(each))
        .map(async (each) => {
          const path = join(directory, each)
          const status = await stat(path).catch(() => undefined)
          return { path, time: status?.mtimeMs ?? 0 }
        }),
    )
    return found.toSorted((a, b) => a.time - b.time).map(({ path }) => path)
  }

  /** Makes room. Linking fails if another process was first, so no line gets lost. */
  async function rotateIfFull(): Promise<void> {
    const handle = await open(file, "r").catch(() => undefined)
    if (!handle) return
    try {
      const text = await handle.readFile("utf8")
      const isFull = Buffer.byteLength(text) > maxBytes - MAX_PROMPT_BYTES || text.split("\n").length > maxEntries
      // Of the file that was read, even if another process has replaced it meanwhile.
      if (isFull) await rotate((await handle.stat()).ino)
    } finally {
      await handle.close()
    }
  }

  async function rotate(inode: number): Promise<void> {
    const before = await filesBefore()
    const isFirst = await link(file, join(directory, `${name}-${inode}.jsonl`)).then(
      () => true,
      () => false,
    )
    if (!isFirst) return
    await rm(file)
    for (const path of before) await rm(path, { force: true })
  }

  return {
    async read() {
      const files = [...(await filesBefore()), file]
      const texts = await Promise.all(files.map((path) => textOf(path)))
      return texts.flatMap((text) => text.split("\n").flatMap(promptIn))
    },
    async add(prompt) {
      const line = `${JSON.stringify({ prompt: mask(prompt), time: now() })}\n`
      if (Buffer.byteLength(line) > MAX_PROMPT_BYTES) return
      await mkdir(directory, { recursive: true, mode: 0o700 })
      await rotateIfFull()
      const handle = await open(file, "a", 0o600)
      try {
        await handle.write(line)
      } finally {
        await handle.close()
      }
    },
  }
}

/** Returns the text of a file, "" for a missing one. Another process may have removed it. */
async function textOf(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8")
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return ""
    throw error
  }
}

/** Keeps prompts in memory, for a UI without a data directory. */
export function memoryHistory(): PromptHistory {
  const prompts: string[] = []
  return {
    read: async () => prompts,
    async add(prompt) {
      prompts.push(prompt)
    },
  }
}

/** A line that was cut off by a crash, or written by another version, is ignored. */
function promptIn(line: string): string[] {
  try {
    const entry = JSON.parse(line) as { readonly prompt?: unknown } | null
    return typeof entry?.prompt === "string" ? [entry.prompt] : []
  } catch {
    return []
  }
}
