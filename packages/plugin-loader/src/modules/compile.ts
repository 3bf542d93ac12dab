import { createJiti } from "jiti"
import { Script } from "node:vm"
import { fileURLToPath } from "node:url"
import { withoutBunMeta } from "./bun-meta.ts"
import { CompileError } from "./compile-error.ts"

export interface CompiledModule {
  readonly run: ModuleFunction
  /** Used names by imported specifier. Missing for a namespace import, whose names are unknown. */
  readonly uses: ReadonlyMap<string, readonly string[]>
}

/** Calls `load` for imports. Fills `exports`, or replaces it. */
type ModuleFunction = (
  exports: object,
  require: NodeJS.Require,
  module: { exports: object },
  filename: string,
  dirname: string,
  load: (specifier: string) => Promise<object>,
  resolve: (specifier: string) => string,
) => Promise<void>

const FAILED = "exports.__JITI_ERROR__ = "
const IMPORT = /\bvar (_[\w$]*) = (?:_interopRequire\w+\()?await jitiImport\("([^"\\]+)"\)/g
const PARAMETERS = "exports, require, module, __filename, __dirname, jitiImport, jitiESMResolve"

/**
 * Compiles modules to functions without changing line numbers. Node keeps imported modules as long as the process runs,
 * but a function is freed with its plugin.
 */
export function createCompiler(): (url: string, text: string) => CompiledModule {
  const jiti = createJiti(import.meta.url, { fsCache: false, moduleCache: false })
  return (url, text) => {
    const filename = fileURLToPath(url)
    const code = jiti.transform({
      source: withoutBunMeta(text),
      filename,
      ts: /\.[cm]?tsx?$/.test(url),
      jsx: url.endsWith("x"),
      async: true,
    })
    if (code.startsWith(FAILED)) {
      const { message, line } = JSON.parse(code.slice(FAILED.length)) as { message: string; line: number }
      throw new CompileError(url, line, message)
    }
    const script = new Script(`(async function (${PARAMETERS}) {${code}\n})`, { filename: url })
    return { run: script.runInThisContext() as ModuleFunction, uses: usesOf(code, text) }
  }
}

/** The compiler drops imports of types, so a name that remains must exist. */
function usesOf(code: string, text: string): Map<string, string[]> {
  const uses = new Map<string, string[]>()
  for (const [, variable = "", specifier = ""] of code.matchAll(IMPORT)) {
    if (text.includes(`* as ${variable}`)) continue
    const names = Array.from(
      code.matchAll(new RegExp(`(?<![\\w$.])${variable.replaceAll("$", "\\$")}\\.([\\w$]+)`, "g")),
      ([, name = ""]) => name,
    )
    uses.set(
      specifier,
      [...new Set([...(uses.get(specifier) ?? []), ...names])].filter((name) => name !== "default"),
    )
  }
  return uses
}
