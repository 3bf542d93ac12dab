import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { MaintainedStorage } from "@pawl/core/storage"
import { onTestFinished } from "vitest"
import { fileStorage, type FileStorageOptions } from "../src/file-storage.ts"

/** A directory that is removed when the test ends. */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), "pawl-file-"))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

/** A storage that is closed when the test ends. */
export async function openStorage(
  path: string,
  options: Omit<FileStorageOptions, "path"> = {},
): Promise<MaintainedStorage> {
  const storage = await fileStorage({ path, ...options })
  onTestFinished(() => storage.close())
  return storage
}

export { collect } from "./collect.ts"
