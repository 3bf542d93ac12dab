import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"

export interface FileTree extends AsyncDisposable {
  readonly root: string
  /** Absolute path of a file of the tree. */
  at(file: string): string
}

/** Files in a new temporary directory, removed at the end of the scope. A value that is no text is written as JSON. */
export async function fileTree(files: Readonly<Record<string, unknown>> = {}): Promise<FileTree> {
  const root = await realpath(await mkdtemp(path.join(tmpdir(), "pawl-config-")))
  const at = (file: string) => path.join(root, file)
  for (const [file, content] of Object.entries(files)) {
    await mkdir(path.dirname(at(file)), { recursive: true })
    const isRaw = typeof content === "string" || content instanceof Uint8Array
    await writeFile(at(file), isRaw ? content : JSON.stringify(content))
  }
  return { root, at, [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true }) }
}
