import type { FileHandle } from "node:fs/promises"
import { extname } from "node:path"
import { contentHash } from "../file/file-times.ts"
import { notebookText } from "./notebook.ts"
import { pageOf, type ReadText } from "./read-text.ts"
import { readUpTo } from "./read-up-to.ts"
import type { PageRange } from "./text-page.ts"

const MAX_NOTEBOOK_BYTES = 10 * 1024 * 1024

/** Reads a page of a notebook's cells; undefined for other files and invalid notebooks. */
export async function readNotebook(handle: FileHandle, path: string, range: PageRange): Promise<ReadText | undefined> {
  if (extname(path).toLowerCase() !== ".ipynb") return undefined
  const bytes = await readUpTo(handle, MAX_NOTEBOOK_BYTES)
  const text = bytes && notebookText(bytes.toString("utf8"))
  if (!bytes || text === undefined) return undefined
  const note = "(A notebook, shown as cells. Its file is JSON, which edit changes: see it with bash.)"
  return { ...pageOf(text, range), isWhole: true, hash: await contentHash(bytes), note }
}
