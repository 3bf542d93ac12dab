import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { plainLine } from "@pawl/plain-text"

/** Images that the prompt names by markers, such as `[Image 1: shot.png]`. */
export interface Attachments {
  /** Adds a file, and returns its marker. */
  add(path: string): string
  /** Stores an image of the clipboard until the UI ends, and returns its marker. */
  addImage(png: Buffer): string
  /** Returns the files whose markers are in the text. */
  filesIn(text: string): string[]
  close(): void
}

export function createAttachments(): Attachments {
  const byMarker = new Map<string, string>()
  let directory: string | undefined

  function add(path: string): string {
    const name = plainLine(basename(path)).replaceAll(/[[\]]/g, "")
    const marker = `[Image ${byMarker.size + 1}: ${name}]`
    byMarker.set(marker, path)
    return marker
  }

  return {
    add,
    addImage(png) {
      directory ??= mkdtempSync(join(tmpdir(), "pawl-images-"))
      const path = join(directory, `clipboard-${byMarker.size + 1}.png`)
      writeFileSync(path, png, { mode: 0o600 })
      return add(path)
    },
    filesIn: (text) => [...byMarker].flatMap(([marker, path]) => (text.includes(marker) ? [path] : [])),
    close() {
      if (directory !== undefined) rmSync(directory, { recursive: true, force: true })
    },
  }
}
