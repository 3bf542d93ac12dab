import { readFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { dirname } from "node:path"
import { fileURLToPath } from "node:url"
import type { CompiledModule } from "./compile.ts"
import { CompileError } from "./compile-error.ts"
import { isInstalled, type ModuleGraph, withoutQuery } from "./module-graph.ts"
import type { ModuleHooks } from "./module-hooks.ts"
import { fileMeant } from "./resolution.ts"
import { sourceKind } from "./source-kind.ts"
import { stripTypes } from "./strip-types.ts"

export interface FreshDeps {
  readonly graph: ModuleGraph
  readonly hooks: Pick<ModuleHooks, "resolve" | "forgetMap">
  readonly compile: (url: string, text: string) => CompiledModule
  /** Returns true for modules that are loaded again. Others come from Node's cache. */
  readonly isFresh: (url: string) => boolean
}

interface Instance {
  readonly module: { exports: object }
  readonly done: Promise<void>
}

/**
 * Runs a file and its imports in their current version, whatever was imported before. Modules run in the order of their
 * imports. In a cycle, the second module sees the exports that the first one has so far.
 */
export async function freshImport(deps: FreshDeps, entry: string): Promise<object> {
  const { graph, hooks, compile, isFresh } = deps
  const instances = new Map<string, Instance>()

  async function load(url: string, above: readonly string[]): Promise<object> {
    const known = instances.get(url)
    if (known && above.includes(url)) return known.module.exports
    const instance = known ?? begin(url, above)
    await instance.done
    return instance.module.exports
  }

  function begin(url: string, above: readonly string[]): Instance {
    const module = { exports: asModule({}) }
    const instance = { module, done: run(url, module, [...above, url]) }
    instances.set(url, instance)
    return instance
  }

  async function run(url: string, module: Instance["module"], chain: readonly string[]): Promise<void> {
    const path = fileURLToPath(url)
    const text = await readFile(path, "utf8")
    graph.wasRead(url, text)
    const kind = sourceKind(url)
    if (kind === "text" || kind === "json") {
      module.exports = asModule({ default: kind === "text" ? text : JSON.parse(text) })
      return
    }
    // Node's error messages are better than the compiler's.
    if (kind === "typescript") stripTypes(text, url)
    const resolve = (specifier: string) => resolveFrom(url, specifier)
    const compiled = compile(url, text)
    hooks.forgetMap(url)
    const importFrom = async (specifier: string) => {
      const target = resolve(specifier)
      const bare = withoutQuery(target)
      if (bare.startsWith("file:")) graph.addImport(url, bare)
      const imported = bare.startsWith("file:") && isFresh(bare) ? await load(bare, chain) : await native(target)
      const missing = chain.includes(bare)
        ? undefined
        : compiled.uses.get(specifier)?.find((name) => !(name in imported))
      if (missing === undefined) return imported
      const line = text.split("\n").findIndex((each) => each.includes(specifier)) + 1
      throw new CompileError(
        url,
        line,
        `The requested module '${specifier}' does not provide an export named '${missing}'`,
      )
    }
    const { exports } = module
    await compiled.run(exports, createRequire(path), module, path, dirname(path), importFrom, resolve)
    if (module.exports !== exports) module.exports = asModule({ ...module.exports, default: module.exports })
  }

  /** Node caches resolutions per file, but the plugin's own files may have changed since. */
  function resolveFrom(parent: string, specifier: string): string {
    const relative = /^\.{1,2}(?:\/|$)/.test(specifier) ? fileMeant(new URL(specifier, parent).href) : undefined
    return relative ?? hooks.resolve(specifier, parent)
  }

  return sorted(await load(entry, []))
}

/** Wraps modules that were not compiled here in the form that the compiler expects. */
async function native(url: string): Promise<object> {
  const namespace = (await import(/* @vite-ignore */ url)) as object
  const module = asModule({})
  for (const name of Object.keys(namespace)) {
    if (name === "__esModule") continue
    Object.defineProperty(module, name, { enumerable: true, get: () => Reflect.get(namespace, name) as unknown })
  }
  return module
}

function asModule(exports: object): object {
  return Object.defineProperty(exports, "__esModule", { value: true, configurable: true })
}

/** Node lists exports in this order. */
function sorted(exports: object): object {
  return Object.fromEntries(Object.entries(exports).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

/** Returns true for files of the author. Installed packages are loaded only once. */
export function isLocal(url: string): boolean {
  return !isInstalled(url) && !/\.(?:node|wasm)$/.test(url)
}
