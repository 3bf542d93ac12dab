import { realpath, stat } from "node:fs/promises"
import { resolve } from "node:path"
import { UsageError } from "@pawl/config/usage-error"
import type { RuntimeHost } from "../host.ts"

/** Returns the absolute real path of the working directory. Throws UsageError if it is missing or not a directory. */
export async function workDirectory(
  { directory }: Pick<RuntimeHost, "directory">,
  requested: string | undefined,
): Promise<string> {
  const path = requested === undefined ? directory : resolve(directory, requested)
  try {
    if ((await stat(path)).isDirectory()) return await realpath(path)
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === "ENOENT"
    throw new UsageError(isMissing ? `There is no directory ${path}.` : `${path} cannot be used: ${String(error)}`)
  }
  throw new UsageError(`${path} is not a directory.`)
}
