import { realpath } from "node:fs/promises"
import { homedir } from "node:os"
import { isInProject } from "@pawl/core/tool"
import { checkActions, type ActionPolicy } from "./check-need.ts"

export interface FilePolicy extends ActionPolicy {
  readonly directory: string
  readonly worktree: string
}

/**
 * Resolves with the real path if the user's file may be attached; undefined if it does not exist. The name of a path outside
 * of the project shows where it leads. A link out of the project does not, so it needs the permissions of the tool `read`.
 * Throws UsageError as `checkActions` does.
 */
export async function checkFile(path: string, policy: FilePolicy): Promise<string | undefined> {
  const { directory, worktree } = policy
  const target = await realpath(path).catch(() => undefined)
  if (target === undefined || !leadsOut(path, target, await boundsOf(policy))) return target
  const { createToolPaths } = await import("@pawl/tools")
  const needs = await createToolPaths().needs({}, path, { directory, worktree }, "read")
  await checkActions(
    [{ about: `${path} is a link to ${target}`, refusal: `The file was refused: ${path}`, needs }],
    policy,
  )
  return target
}

/** Adds the functions that check the files of a text. */
export function withFileCheck<Policy extends FilePolicy>(policy: Policy) {
  return {
    ...policy,
    checkFile: (path: string) => checkFile(path, policy),
    async isOutside(target: string) {
      const { realRoots, home } = await boundsOf(policy)
      return !isInProject(target, { roots: realRoots, home })
    },
  }
}

interface Bounds {
  /** As written, and as real paths. */
  readonly roots: readonly string[]
  readonly realRoots: readonly string[]
  readonly home: string
}

function leadsOut(path: string, target: string, { roots, realRoots, home }: Bounds): boolean {
  return (
    isInProject(path, { roots: [...roots, ...realRoots], home }) && !isInProject(target, { roots: realRoots, home })
  )
}

async function boundsOf({ directory, worktree }: Pick<FilePolicy, "directory" | "worktree">): Promise<Bounds> {
  const roots = [directory, worktree]
  const [home = homedir(), ...realRoots] = await Promise.all(
    [homedir(), ...roots].map((path) => realpath(path).catch(() => path)),
  )
  return { roots, realRoots, home }
}
