import { readdir, realpath, stat } from "node:fs/promises"
import path from "node:path"
import { errorCode, readFailure } from "../read-text.ts"

export interface WalkOptions {
  /** Returns true for names to collect. */
  readonly wants: (name: string) => boolean
  /** `flat`: no subdirectories. `deep`: all. `to-first`: none below a directory with a match. */
  readonly depth: "flat" | "deep" | "to-first"
  /** A real path. Links out of it are not followed. Undefined: no limit. */
  readonly within: string | undefined
}

/** A file with the path at which it was found, and the target of links there. */
export interface WalkedFile {
  readonly file: string
  readonly realFile: string
}

export interface Walk {
  /** Sorted by path. */
  readonly files: WalkedFile[]
  /** Directories that could not be searched, with the reason as the end of a sentence. */
  readonly failures: { readonly file: string; readonly failure: string }[]
}

/** Maximum depth of directories and number of entries, so that a large project does not delay the start. */
const MAX_DEPTH = 8
const MAX_ENTRIES = 1000

/**
 * Searches a directory for files. Follows links, searches each directory once, and skips names that begin with a dot and
 * installed packages. Finds nothing if the directory is missing.
 */
export async function walk(root: string, options: WalkOptions): Promise<Walk> {
  const found: Walk = { files: [], failures: [] }
  const searched = new Set<string>()
  let entriesLeft = MAX_ENTRIES

  async function visit(directory: string, levels: number): Promise<void> {
    const real = await realpath(directory).catch(() => undefined)
    if (real === undefined || searched.has(real)) return
    searched.add(real)
    if (!isWithin(real, options.within)) return refuse(directory, "leads out of the project")
    const entries = await readdir(real, { withFileTypes: true }).catch((error: unknown) => errorCode(error))
    if (typeof entries === "string") {
      if (!["ENOENT", "ENOTDIR"].includes(entries)) refuse(directory, readFailure(entries))
      return
    }
    const inner: string[] = []
    const before = found.files.length
    for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      if (entry.name.startsWith(".") || entry.name === "node_modules") continue
      if (entriesLeft-- === 0) refuse(directory, `holds more than the ${MAX_ENTRIES} entries that are looked at`)
      if (entriesLeft < 0) return
      const file = path.join(directory, entry.name)
      const type = entry.isSymbolicLink() ? await typeBehind(file) : entry.isDirectory() ? "directory" : "file"
      if (type === "directory") inner.push(file)
      else if (options.wants(entry.name)) await take(file, path.join(real, entry.name), entry.isSymbolicLink())
    }
    const isDone = options.depth === "flat" || (options.depth === "to-first" && found.files.length > before)
    if (isDone || inner.length === 0) return
    if (levels === 0) return refuse(directory, `has directories deeper than the ${MAX_DEPTH} levels that are looked at`)
    for (const each of inner) await visit(each, levels - 1)
  }

  async function take(file: string, real: string, isLink: boolean): Promise<void> {
    const realFile = isLink ? await realpath(file).catch(() => undefined) : real
    if (realFile !== undefined && !isWithin(realFile, options.within)) return refuse(file, "leads out of the project")
    // A broken link is included, so that reading it reports the problem.
    found.files.push({ file, realFile: realFile ?? file })
  }

  function refuse(file: string, failure: string): void {
    found.failures.push({ file, failure })
  }

  await visit(root, MAX_DEPTH)
  return found
}

async function typeBehind(link: string): Promise<"directory" | "file"> {
  const stats = await stat(link).catch(() => undefined)
  return stats?.isDirectory() ? "directory" : "file"
}

function isWithin(file: string, directory: string | undefined): boolean {
  if (directory === undefined) return true
  const below = path.relative(directory, file)
  return below.split(path.sep)[0] !== ".." && !path.isAbsolute(below)
}
