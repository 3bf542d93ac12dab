import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { fileURLToPath } from "node:url"
import vm from "node:vm"

/** What a chunk of the bundle is: the body of a CommonJS module, with `load` in place of `import`. */
type Chunk = (
  exports: object,
  require: NodeJS.Require,
  module: { exports: object },
  load: (name: string) => Promise<unknown>,
  meta: ImportMeta,
) => void

export interface Chunks {
  /** The exports of a chunk, such as `./start.cjs`. The first use evaluates it. */
  readonly load: (name: string) => unknown
  /** Those that were evaluated, by their names. */
  readonly scripts: ReadonlyMap<string, vm.Script>
  /** Those of them whose compiled code was missing, or not for this Node. */
  readonly uncached: ReadonlySet<string>
}

/** `meta`: of a module beside the chunks. `compiled`: the code of a chunk, where there is any. */
export function createChunks(meta: ImportMeta, compiled: (name: string) => Buffer | undefined): Chunks {
  const outer = createRequire(meta.url)
  const modules = new Map<string, { exports: object }>()
  const scripts = new Map<string, vm.Script>()
  const uncached = new Set<string>()

  function load(name: string): object {
    const known = modules.get(name)
    if (known) return known.exports
    const script = scriptOf(name)
    const module = { exports: {} }
    modules.set(name, module)
    const evaluate = script.runInThisContext() as Chunk
    try {
      evaluate(module.exports, require, module, imported, meta)
    } catch (error) {
      modules.delete(name)
      throw error
    }
    return module.exports
  }
  function scriptOf(name: string): vm.Script {
    const filename = fileURLToPath(new URL(name, meta.url))
    const cachedData = compiled(name)
    const script = new vm.Script(readFileSync(filename, "utf8"), {
      filename,
      ...(cachedData && { cachedData }),
    })
    scripts.set(name, script)
    if (!cachedData || script.cachedDataRejected) uncached.add(name)
    return script
  }
  const require: NodeJS.Require = Object.assign(
    (name: string): unknown => (isChunk(name) ? load(name) : outer(name)),
    outer,
  )
  // As `import` does, it never throws.
  const imported = async (name: string): Promise<unknown> => (isChunk(name) ? load(name) : import(name))

  return { load, scripts, uncached }
}

function isChunk(name: string): boolean {
  return name.startsWith("./") && name.endsWith(".cjs")
}
