import { basename, dirname, join } from "node:path"
import { displayName } from "../display-name.ts"
import type { ToolPath } from "../tool-paths.ts"
import { similarNames } from "./similar-names.ts"

/** The error for a file that is not there, with the names beside it that may have been meant. */
export async function missingFile({ path, target }: Pick<ToolPath, "path" | "target">): Promise<Error> {
  // A link that leads nowhere: what stands beside it is not what was looked for.
  const directory = basename(path) === basename(target) ? dirname(path) : dirname(target)
  const similar = (await similarNames(target)).map((name) => displayName(join(directory, name)))
  const message = `File not found: ${displayName(path)}`
  if (similar.length === 0) return new Error(`${message}. Use glob or list to see what there is.`)
  return new Error(`${message}\n\nDid you mean one of these?\n${similar.join("\n")}`)
}
