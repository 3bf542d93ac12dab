import { statSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { basename, dirname, join, resolve } from "node:path"
import { uncached, type Once } from "../once.ts"
import { isWithin, realTarget } from "../paths.ts"

/**
 * Returns true if a real path lies in a repository's own directory of any name: a bare repository, or one that `.git`
 * points or links to. Looks at the contents of each directory above the path, up to but not including `root`.
 */
export async function isInRepository(target: string, root?: string, once: Once = uncached): Promise<boolean> {
  return isBelowRepository(dirname(target), root, once)
}

function isBelowRepository(at: string, root: string | undefined, once: Once): boolean {
  if (at === root || at === dirname(at)) return false
  return once(`repository ${at}`, () => isRepository(at) || isBelowRepository(dirname(at), root, once))
}

/** Returns the real path of the hooks directory from the worktree's git configuration. */
export async function hooksDirectory(worktree: string): Promise<string | undefined> {
  const repository = await repositoryOf(worktree)
  const common = await readLine(join(repository, "commondir"))
  const directories = [repository, ...(common === undefined ? [] : [resolve(repository, common)])]
  for (const file of directories.flatMap((directory) => [
    join(directory, "config.worktree"),
    join(directory, "config"),
  ])) {
    const config = await readFile(file, "utf8").catch(() => "")
    const [, quoted, plain] = /^\s*hooksPath\s*=\s*(?:"([^"\n]*)"|([^#;\n]*))/im.exec(config) ?? []
    const path = quoted ?? plain?.trim()
    if (path) return realTarget(resolve(worktree, path))
  }
  return undefined
}

/** Recognizes hooks by name, for a hooks directory that also has other files. */
const HOOK =
  /^(?:(?:applypatch|commit|prepare-commit|sendemail|push-to|p4)-?[a-z-]*|(?:pre|post)-[a-z-]+|update|proc-receive|reference-transaction|fsmonitor-[a-z-]+)$/i

/**
 * Returns true if the path lies in the configured hooks directory. If that is the worktree or contains it, only names
 * of hooks count.
 */
export async function isHook(target: string, worktree: string, once: Once = uncached): Promise<boolean> {
  const hooks = await once(`hooks ${worktree}`, () => hooksDirectory(worktree))
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

/** In a linked worktree or a submodule, `.git` is a file that contains the repository's path. */
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
