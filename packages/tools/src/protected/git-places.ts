import { statSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { basename, dirname, join, resolve } from "node:path"
import { always, type Once } from "../once.ts"
import { isWithin, realTarget } from "../paths.ts"

/**
 * Is this real path inside of a repository's own directory, whatever its name: a bare one, one that a `.git` file points
 * to, one that `.git` links to? Told by what stands in each directory above it, `root` and what is above left out.
 */
export async function isInRepository(target: string, root?: string, once: Once = always): Promise<boolean> {
  return isBelowRepository(dirname(target), root, once)
}

function isBelowRepository(at: string, root: string | undefined, once: Once): boolean {
  if (at === root || at === dirname(at)) return false
  return once(`repository ${at}`, () => isRepository(at) || isBelowRepository(dirname(at), root, once))
}

/** Where the worktree's repository keeps its hooks by configuration, real; undefined where it says nothing. */
export async function hooksPlace(worktree: string): Promise<string | undefined> {
  const repository = await repositoryOf(worktree)
  const common = await readLine(join(repository, "commondir"))
  const places = [repository, ...(common === undefined ? [] : [resolve(repository, common)])]
  for (const file of places.flatMap((place) => [join(place, "config.worktree"), join(place, "config")])) {
    const config = await readFile(file, "utf8").catch(() => "")
    const [, quoted, plain] = /^\s*hooksPath\s*=\s*(?:"([^"\n]*)"|([^#;\n]*))/im.exec(config) ?? []
    const path = quoted ?? plain?.trim()
    if (path) return realTarget(resolve(worktree, path))
  }
  return undefined
}

/** Names of hooks, where other files stand beside them. */
const HOOK =
  /^(?:(?:applypatch|commit|prepare-commit|sendemail|push-to|p4)-?[a-z-]*|(?:pre|post)-[a-z-]+|update|proc-receive|reference-transaction|fsmonitor-[a-z-]+)$/i

/** Returns whether it is where the worktree's configured hooks are. If that is the worktree itself, only names of hooks count. */
export async function isHook(target: string, worktree: string, once: Once = always): Promise<boolean> {
  const hooks = await once(`hooks ${worktree}`, () => hooksPlace(worktree))
  if (hooks === undefined) return false
  if (isWithin(hooks, worktree)) return dirname(target) === hooks && HOOK.test(basename(target))
  return isWithin(hooks, target)
}

function isRepository(directory: string): boolean {
  const statsOf = (name: string) => {
    try {
      return statSync(join(directory, name), { throwIfNoEntry: false })
    } catch {
      return undefined
    }
  }
  return (
    statsOf("HEAD")?.isFile() === true && ["objects", "refs"].every((name) => statsOf(name)?.isDirectory() === true)
  )
}

/** In a linked worktree and in a submodule, `.git` is a file that tells where the repository is. */
export async function repositoryOf(worktree: string): Promise<string> {
  const git = join(worktree, ".git")
  const pointer = await readLine(git)
  const path = pointer && /^gitdir:\s*(.+)$/.exec(pointer)?.[1]
  return path ? resolve(worktree, path) : git
}

async function readLine(path: string): Promise<string | undefined> {
  const text = await readFile(path, "utf8").catch(() => undefined)
  return text?.split("\n")[0]?.trim()
}
