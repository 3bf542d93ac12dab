import { mkdtemp, rm, statfs } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"

const TMPFS = 0x0102_1994

export interface Scratch extends AsyncDisposable {
  /** Creates an empty folder. All are removed at the end. */
  folder(): Promise<string>
  /** Set if there is no disk below the folders, so that durable writes cost nothing. */
  readonly inMemory: boolean
}

export async function createScratch(): Promise<Scratch> {
  const root = await mkdtemp(join(tmpdir(), "pawl-bench-"))
  return {
    folder: () => mkdtemp(join(root, "run-")),
    inMemory: (await statfs(root)).type === TMPFS,
    [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true }),
  }
}
