import { realpath } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import type { DefinedSettings } from "../config/definitions.ts"
import { projectContent } from "@pawl/trust/project-content"
import { isBetween, trustingEntry } from "@pawl/trust/trust-of"
import { addTrust, readTrustStore } from "@pawl/trust/trust-store"

/**
 * Keeps a project trusted after pawl has written one of its files on the user's request. False if the project was not trusted
 * before, or if other content has changed meanwhile.
 */
export async function trustAnew(
  { trust, worktree, dataDirectory }: Pick<DefinedSettings, "trust" | "worktree" | "dataDirectory">,
  written: string,
): Promise<boolean> {
  const { entries } = await readTrustStore(dataDirectory)
  const before = trustingEntry(trust.content, entries)
  if (!before && trust.effects.length > 0) return false
  // The entry may be of the directory from which this worktree was created.
  const isOwn = before !== undefined && isBetween(before.directory, trust.content)
  const directory = isOwn ? before.directory : trust.content.directory
  const content = await projectContent({ directory, worktree })
  const old = new Map(trust.content.files.map(({ path, hash }) => [path, hash]))
  const file = join(await realpath(dirname(written)), basename(written))
  const isWritten = (path: string) => join(content.worktree, path) === file
  const hasOther = content.files.some(({ path, hash }) => old.has(path) && old.get(path) !== hash && !isWritten(path))
  if (hasOther || content.problem !== undefined) return false
  await addTrust(dataDirectory, content, Date.now(), before?.packages)
  return true
}
