import { closeSync, fstatSync, openSync, readSync } from "node:fs"
import { readLog } from "./write-ahead-log.ts"

/** The pages of a database after its last commit. Some may be missing. */
export interface Pages {
  readonly pageSize: number
  /** The highest page number. */
  readonly count: number
  /** Returns undefined if the file ends before the page. */
  read(page: number): Buffer | undefined
  close(): void
}

const OUR_PAGE_SIZE = 1024
const MAGIC = "SQLite format 3\0"

export function openPages(path: string): Pages {
  const file = openIfThere(path)
  const log = readLog(`${path}-wal`)
  const logFile = log.pages.size > 0 ? openIfThere(`${path}-wal`) : undefined
  const size = file === undefined ? 0 : fstatSync(file).size
  const pageSize = log.pageSize || pageSizeOf(file) || OUR_PAGE_SIZE
  const count = Math.max(Math.ceil(size / pageSize), ...log.pages.keys())
  return {
    pageSize,
    count,
    read(page) {
      const inLog = log.pages.get(page)
      if (inLog !== undefined && logFile !== undefined) return readPage(logFile, inLog, pageSize)
      return file === undefined ? undefined : readPage(file, (page - 1) * pageSize, pageSize)
    },
    close() {
      for (const open of [file, logFile]) if (open !== undefined) closeSync(open)
    },
  }
}

/** Returns undefined unless the header is plausible. */
function pageSizeOf(file: number | undefined): number | undefined {
  const header = file === undefined ? undefined : readPage(file, 0, 100)
  if (!header || header.toString("latin1", 0, 16) !== MAGIC) return undefined
  const size = header.readUInt16BE(16) === 1 ? 65_536 : header.readUInt16BE(16)
  return size >= 512 && (size & (size - 1)) === 0 ? size : undefined
}

function readPage(file: number, offset: number, length: number): Buffer | undefined {
  const bytes = Buffer.alloc(length)
  return readSync(file, bytes, 0, length, offset) === length ? bytes : undefined
}

function openIfThere(path: string): number | undefined {
  try {
    return openSync(path, "r")
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined
    throw error
  }
}
