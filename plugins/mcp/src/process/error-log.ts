import { appendFileSync, mkdirSync, renameSync, statSync } from "node:fs"
import { dirname } from "node:path"

/** What a server wrote to its standard error, and what was noted of it: the newest in memory, more of it in a file. */
export interface ErrorLog {
  readonly path: string
  write(text: string): void
  /** The newest, oldest first. */
  tail(): string
}

const IN_MEMORY = 64 * 1024
const IN_FILE = 1024 * 1024

/** The file is for its owner alone; when it is full it is set aside as `.old`. What cannot be written is passed over. */
export function createErrorLog(path: string, mask: (text: string) => string): ErrorLog {
  let recent = ""
  let size: number | undefined

  function toFile(text: string): void {
    try {
      if (size === undefined) {
        mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
        size = statSync(path, { throwIfNoEntry: false })?.size ?? 0
      }
      if (size > IN_FILE) {
        renameSync(path, `${path}.old`)
        size = 0
      }
      appendFileSync(path, text, { mode: 0o600 })
      size += Buffer.byteLength(text)
    } catch {
      // A full disk is no reason to end a server.
    }
  }

  return {
    path,
    write(text) {
      const shown = mask(text.length <= IN_MEMORY ? text : `${text.slice(0, IN_MEMORY).toWellFormed()}…\n`)
      recent = (recent + shown).slice(-IN_MEMORY).toWellFormed()
      toFile(shown)
    },
    tail: () => recent,
  }
}
