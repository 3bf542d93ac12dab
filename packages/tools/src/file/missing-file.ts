import { basename, dirname, join } from "node:path"
import { displayName } from "../display-name.ts"
import type { ToolPath } from "../tool-paths.ts"
import { similarNames } from "./similar-names.ts"

/** Builds the error for a missing file, with similar names in its directory. */
export async function missingFile({ path, target }: Pick<ToolPath, "path" | "target">): Promise<Error> {
  // For a dangling link, search beside its target.
  const directory = basename(path) === basename(target) ? dirname(path) : dirname(target)
  const similar = (await similarNames(target)).map((name) => displayName(join(directory, name)))
  const message = `File not found: ${displayName(path)}`
  if (similar.length === 0) return new Error(`${message}. Use glob or list to see what there is.`)
  return new Error(`${message}\n\nDid you mean one of these?\n${similar.join("\n")}`)
}
