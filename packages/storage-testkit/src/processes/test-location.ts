import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { extname, join } from "node:path"
import type { MaintainedStorage } from "@pawl/core/storage"
import { onTestFinished } from "vitest"
import { openStorage } from "./open-storage.ts"
import type { ScriptName } from "./run-script.ts"
import { type Child, startChild } from "./start-child.ts"

/** A storage that child processes can open. */
export interface StorageInProcesses {
  /** The URL or the path of a module that exports `openStorage(url)`. */
  readonly module: string
  /** Returns the URL of a new storage in this directory, or with its name. */
  readonly url: (directory: string) => string
}

/** The location of a spec, opened in this process and in child processes. Removed when the test ends. */
export interface TestLocation {
  readonly open: () => Promise<MaintainedStorage>
  /** Runs a script of `run-script` in a child process, with the same location. */
  readonly start: (script: ScriptName, ...args: number[]) => Child
}

export async function createTestLocation({ module, url }: StorageInProcesses): Promise<TestLocation> {
  const directory = await mkdtemp(join(tmpdir(), "pawl-processes-"))
  onTestFinished(() => rm(directory, { recursive: true, force: true, maxRetries: 3 }))
  const location = url(directory)
  // The script has the same extension as this file, in the sources and in the build.
  const extension = extname(import.meta.url)
  const conditions = extension === ".ts" ? ["@pawl/source"] : []
  return {
    async open() {
      const storage = await openStorage(module, location)
      onTestFinished(() => storage.close())
      return storage
    },
    start(script, ...args) {
      const path = new URL(`run-script${extension}`, import.meta.url)
      return startChild(path, [script, module, location, ...args.map(String)], { conditions })
    },
  }
}
