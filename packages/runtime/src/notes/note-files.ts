import { existsSync } from "node:fs"
import { dirname, join } from "node:path"
import { INSTRUCTION_NAMES } from "@pawl/workspace"
import { ownInstructions } from "../config/instruction-files.ts"
import type { Settings } from "../config/settings.ts"
import type { RuntimeHost } from "../host.ts"

/** A file with instructions to which a note of the user can be added. */
export interface NoteFile {
  /** Absolute. */
  readonly path: string
  readonly owner: "project" | "user"
  readonly isNew: boolean
  /** Directory out of which no link may lead. Missing for the user's own file, whose links the user made. */
  readonly within?: string
}

/**
 * Returns the files with instructions that are read for a directory: those of the project, the nearest first, then the user's
 * own. A project without any gets an `AGENTS.md` in its work tree; another name in use stays in use, because only the first of
 * the names is read.
 */
export async function noteFiles(
  { directory, worktree, configDirectory }: Pick<Settings, "directory" | "worktree" | "configDirectory">,
  { home, environment }: Pick<RuntimeHost, "home" | "environment">,
): Promise<readonly NoteFile[]> {
  const directories = upward(directory, worktree)
  const named = INSTRUCTION_NAMES.map((name) => directories.map((each) => join(each, name)).filter(existsSync))
  const found = named.find((paths) => paths.length > 0) ?? [join(worktree, INSTRUCTION_NAMES[0])]
  const own = await ownInstructions(configDirectory, home, environment)
  return [
    ...found.map((path): NoteFile => ({ path, owner: "project", isNew: !existsSync(path), within: worktree })),
    { path: own, owner: "user", isNew: !existsSync(own) },
  ]
}

function upward(from: string, to: string): string[] {
  const directories = [from]
  for (let at = from; at !== to && dirname(at) !== at;) directories.push((at = dirname(at)))
  return directories
}
