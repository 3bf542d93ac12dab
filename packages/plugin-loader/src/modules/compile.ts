import { createJiti } from "jiti"
import { Script } from "node:vm"
import { fileURLToPath } from "node:url"
import { withoutBunMeta } from "./bun-meta.ts"
import { CompileError } from "./compile-error.ts"

export interface CompiledModule {
  readonly run: ModuleFunction
  /** The names that it uses of what it imports, by specifier; of a whole namespace nothing is known. */
  readonly uses: ReadonlyMap<string, readonly string[]>
}

/** What it imports it asks `load` for; it fills `exports`, or puts something else in its place. */
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
 * Makes functions of modules' texts, lines where they were. Node keeps whatever it has imported for as long as the
 * process lives; a function is forgotten with the plugin that it made.
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

/** The compiler leaves out imports of types; a name that it uses must be there. */
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
