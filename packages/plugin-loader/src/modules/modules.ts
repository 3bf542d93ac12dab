import { randomUUID } from "node:crypto"
import { realpathSync } from "node:fs"
import { pathToFileURL } from "node:url"
import { freshImport, isLocal } from "./fresh-import.ts"
import { type FileLine, lineOf } from "./file-line.ts"
import { type ImportProblem, toImportProblem } from "./import-problem.ts"
import { createModuleGraph, isInstalled } from "./module-graph.ts"
import { addModuleHooks } from "./module-hooks.ts"
import type { ModuleNames } from "./resolution.ts"
import { createStripCache } from "./strip-cache.ts"

/** The exports of a module by name, or why it cannot be imported. */
export type Imported = { readonly exports: Readonly<Record<string, unknown>> } | { readonly problem: ImportProblem }

export interface ImportOptions {
  /** Milliseconds that the import may take. An endless loop cannot be stopped. */
  readonly deadline: number
  /** Directory of an installed package with its dependencies, all of which are handled. */
  readonly root?: string
  readonly signal?: AbortSignal
}

/**
 * Imports modules of plugins and tools into this process: like Node, and also TypeScript without a build from any
 * directory, text and JSON files, and files without suffix. The caller decides if a file may run.
 */
export interface Modules {
  /**
   * The first import of a file uses Node. Every further import, and one of a file that Node imported before, runs the
   * file and its local imports again in their current version. Installed packages are not loaded again. Never rejects.
   */
  import(file: string, options: ImportOptions): Promise<Imported>
  /** Returns sorted absolute paths of the file and its local imports, as far as they are known. */
  files(file: string): readonly string[]
  /** Returns true if all these files are unchanged since they were loaded. */
  isUnchanged(file: string): Promise<boolean>
  /** Finds the line of an error in the file, its directory or its imports; undefined if unknown. */
  locate(file: string, error: unknown): FileLine | undefined
  /** Removes the hooks. Loaded modules can no longer import the caller's names. */
  close(): void
}

export interface ModulesOptions extends Partial<ModuleNames> {
  /** Absolute directory for compiled TypeScript. Default: each process compiles it again. */
  readonly cache?: string
}

/**
 * `aliases` and `fallbacks` map specifiers to file URLs, only for modules that are imported here and for their imports.
 */
export function createModules({ aliases = {}, fallbacks = {}, cache }: ModulesOptions = {}): Modules {
  const graph = createModuleGraph()
  const strip = createStripCache(cache)
  const hooks = addModuleHooks({ graph, names: { aliases, fallbacks }, strip }, randomUUID())
  const targets = new Set([...Object.values(aliases), ...Object.values(fallbacks)])
  const imported = new Set<string>()
  const compiler = lazily(async () => (await import("./compile.ts")).createCompiler())

  async function importAgain(url: string, isFresh: (url: string) => boolean): Promise<object> {
    const compile = await compiler()
    return await freshImport({ graph, hooks, compile, isFresh: (each) => !targets.has(each) && isFresh(each) }, url)
  }

  async function load(url: string): Promise<object> {
    // The comment keeps bundlers from resolving the import.
    const native = async () => (await import(/* @vite-ignore */ url)) as object
    if (imported.has(url)) return isLocal(url) ? await importAgain(url, isLocal) : await native()
    imported.add(url)
    try {
      const namespace = await native()
      if (hooks.hasLoaded(url) || !isLocal(url)) return namespace
    } catch (error) {
      // Importing a type without `type` looks like a missing export, and only the whole text shows that it is a type.
      if (!isMissingExport(error)) throw error
      const inTypeScript = (each: string) => isLocal(each) || (isInstalled(each) && /\.[cm]?tsx?$/.test(each))
      return await importAgain(url, inTypeScript).catch((again: unknown) => {
        throw isMissingExport(again) ? error : again
      })
    }
    return await importAgain(url, isLocal)
  }

  return {
    async import(file, { deadline, root, signal }) {
      const url = toURL(file)
      graph.add(url)
      if (root !== undefined) graph.addRoot(`${toURL(root)}/`)
      const { promise: late, reject } = Promise.withResolvers<never>()
      const timer = setTimeout(
        () => reject(new Error(`It was not loaded within ${deadline / 1000} seconds.`)),
        deadline,
      )
      const abort = () => reject(new Error("It is not wanted any more."))
      signal?.addEventListener("abort", abort)
      try {
        signal?.throwIfAborted()
        return { exports: { ...(await Promise.race([load(url), late])) } }
      } catch (error) {
        return { problem: await toImportProblem(url, error, (each) => hooks.map(each)) }
      } finally {
        clearTimeout(timer)
        signal?.removeEventListener("abort", abort)
      }
    },
    files: (file) => graph.files(toURL(file)),
    locate(file, error) {
      const url = toURL(file)
      return lineOf(error, { beside: url, map: (each) => hooks.map(each), has: (each) => graph.has(each) })
    },
    isUnchanged: (file) => graph.isUnchanged(toURL(file)),
    close: () => hooks.remove(),
  }
}

/** Node identifies modules by real paths. */
function toURL(file: string): string {
  try {
    return pathToFileURL(realpathSync(file)).href
  } catch {
    return pathToFileURL(file).href
  }
}

function isMissingExport(error: unknown): boolean {
  return error instanceof Error && error.message.includes("does not provide an export named")
}

function lazily<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => (made ??= make())
}
