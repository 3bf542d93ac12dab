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
  /** Whether the module is loaded anew too; what is not comes from Node, as everywhere. */
  readonly isFresh: (url: string) => boolean
}

interface Instance {
  readonly module: { exports: object }
  readonly done: Promise<void>
}

/**
 * Runs a file and the files that it imports as they are now, all of them new, whatever was imported before. Modules run
 * in the order of their imports; in a circle the second sees what the first has exported by then.
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
    // Node says better what is wrong with a text than the compiler does.
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

  /** Node remembers what it has found for a file; files of the plugin's own may have come and gone since. */
  function resolveFrom(parent: string, specifier: string): string {
    const relative = /^\.{1,2}(?:\/|$)/.test(specifier) ? fileMeant(new URL(specifier, parent).href) : undefined
    return relative ?? hooks.resolve(specifier, parent)
  }

  return sorted(await load(entry, []))
}

/** Modules that the compiler did not make, in the form in which it expects all of them. */
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

/** In the order in which Node lists what a module exports. */
function sorted(exports: object): object {
  return Object.fromEntries(Object.entries(exports).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

/** Files of the author's; what is installed is loaded once. */
export function isLocal(url: string): boolean {
  return !isInstalled(url) && !/\.(?:node|wasm)$/.test(url)
}
