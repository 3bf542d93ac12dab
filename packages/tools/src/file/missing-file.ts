import { displayName } from "../display-name.ts"
import { similarNames } from "./similar-names.ts"

/** The error for a file that is not there, with the names beside it that may have been meant. */
export async function missingFile(path: string): Promise<Error> {
  const similar = await similarNames(path)
  const message = `File not found: ${displayName(path)}`
  if (similar.length === 0) return new Error(`${message}. Use glob or list to see what there is.`)
  return new Error(`${message}\n\nDid you mean one of these?\n${similar.map(displayName).join("\n")}`)
}
