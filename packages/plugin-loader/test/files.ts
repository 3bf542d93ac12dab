import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { onTestFinished } from "vitest"

export interface TestFiles {
  /** Absolute, links resolved. */
  readonly root: string
  path(name: string): string
  write(files: Readonly<Record<string, string>>): Promise<void>
}

/** A directory of a test's own with these files, gone when it ends. */
export async function testFiles(files: Readonly<Record<string, string>> = {}): Promise<TestFiles> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "pawl-loader-")))
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  const path = (name: string) => join(root, name)
  const write = async (more: Readonly<Record<string, string>>) => {
    for (const [name, text] of Object.entries(more)) {
      await mkdir(dirname(path(name)), { recursive: true })
      await writeFile(path(name), text)
    }
  }
  await write(files)
  return { root, path, write }
}
