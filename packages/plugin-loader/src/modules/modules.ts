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

/** What a module exports, by name; or why it cannot be had. */
export type Imported = { readonly exports: Readonly<Record<string, unknown>> } | { readonly problem: ImportProblem }

export interface ImportOptions {
  /** Milliseconds that the module may take. What hangs in a loop cannot be given up. */
  readonly deadline: number
  /** The directory that an installed package lies in with what it depends on: all of it is served. */
  readonly root?: string
  readonly signal?: AbortSignal
}

/**
 * Imports modules of plugins and tools in this process: as Node does, and TypeScript without a build, wherever it lies,
 * texts and JSON, files without their suffix. Whether a file may be run is for the caller to know: it is run.
 */
export interface Modules {
  /**
   * The first import of a file is Node's own. Every further one, and one of a file that Node had before, runs the file
   * and the local files that it imports once more, as they are now; installed packages stay what they were. Never rejects.
   */
  import(file: string, options: ImportOptions): Promise<Imported>
  /** Absolute paths, sorted, of the file and the local files that it imported, as far as is known. */
  files(file: string): readonly string[]
  /** Whether all of these hold what they held when they were last loaded. */
  isUnchanged(file: string): Promise<boolean>
  /** Where an error was made in the file, beside it, or in what it imports; undefined where that cannot be told. */
  locate(file: string, error: unknown): FileLine | undefined
  /** Modules load as in any other process from here on; those there are find no names of the caller's any more. */
  close(): void
}

export interface ModulesOptions extends Partial<ModuleNames> {
  /** An absolute directory for what TypeScript was made into. Default: each process compiles it anew. */
  readonly cache?: string
}

/** `aliases`, `fallbacks`: file URLs by specifier, for modules that are imported here and what they import, and no other. */
export function createModules({ aliases = {}, fallbacks = {}, cache }: ModulesOptions = {}): Modules {
  const graph = createModuleGraph()
  const strip = createStripCache(cache)
  const hooks = addModuleHooks({ graph, names: { aliases, fallbacks }, strip }, randomUUID())
  const targets = new Set([...Object.values(aliases), ...Object.values(fallbacks)])
  const imported = new Set<string>()
  const compiler = lazily(async () => (await import("./compile.ts")).createCompiler())

  async function anew(url: string, isFresh: (url: string) => boolean): Promise<object> {
    const compile = await compiler()
    return await freshImport({ graph, hooks, compile, isFresh: (each) => !targets.has(each) && isFresh(each) }, url)
  }

  async function load(url: string): Promise<object> {
    // The comment keeps bundlers from looking for it.
    const native = async () => (await import(/* @vite-ignore */ url)) as object
    if (imported.has(url)) return isLocal(url) ? await anew(url, isLocal) : await native()
    imported.add(url)
    try {
      const namespace = await native()
      if (hooks.hasLoaded(url) || !isLocal(url)) return namespace
    } catch (error) {
      // A type that is imported without saying so is no export, and only the whole text shows that it is a type.
      if (!isMissingExport(error)) throw error
      const inTypeScript = (each: string) => isLocal(each) || (isInstalled(each) && /\.[cm]?tsx?$/.test(each))
      return await anew(url, inTypeScript).catch((again: unknown) => {
        throw isMissingExport(again) ? error : again
      })
    }
    return await anew(url, isLocal)
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

/** Node knows modules by where links lead. */
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
