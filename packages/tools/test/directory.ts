import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { onTestFinished } from "vitest"

/** A new directory with these files, removed when the test ends. */
export async function testDirectory(files: Readonly<Record<string, string | Uint8Array>> = {}): Promise<string> {
  const directory = await realpath(await mkdtemp(join(tmpdir(), "pawl-tools-")))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  for (const [name, content] of Object.entries(files)) {
    const path = join(directory, name)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, content)
  }
  return directory
}
