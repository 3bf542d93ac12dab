import { appendFileSync, mkdirSync, renameSync, statSync } from "node:fs"
import { dirname } from "node:path"

/** A server's standard error output and notes: the newest in memory, more in a file. */
export interface ErrorLog {
  readonly path: string
  write(text: string): void
  /** Returns the newest output, oldest line first. */
  tail(): string
}

const MAX_MEMORY_LENGTH = 64 * 1024
const MAX_FILE_BYTES = 1024 * 1024

/** Only the owner can read the file. A full file is renamed to `.old`. Write errors are ignored. */
export function createErrorLog(path: string, mask: (text: string) => string): ErrorLog {
  let recent = ""
  let size: number | undefined

  function toFile(text: string): void {
    try {
      if (size === undefined) {
        mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
        size = statSync(path, { throwIfNoEntry: false })?.size ?? 0
      }
      if (size > MAX_FILE_BYTES) {
        renameSync(path, `${path}.old`)
        size = 0
      }
      appendFileSync(path, text, { mode: 0o600 })
      size += Buffer.byteLength(text)
    } catch {
      // A full disk must not end a server.
    }
  }

  return {
    path,
    write(text) {
      const shown = mask(
        text.length <= MAX_MEMORY_LENGTH ? text : `${text.slice(0, MAX_MEMORY_LENGTH).toWellFormed()}…\n`,
      )
      recent = (recent + shown).slice(-MAX_MEMORY_LENGTH).toWellFormed()
      toFile(shown)
    },
    tail: () => recent,
  }
}
