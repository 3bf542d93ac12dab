import { stripTypeScriptTypes } from "node:module"
import { CompileError } from "./compile-error.ts"

export interface Stripped {
  readonly code: string
  /** Source map as JSON, if line numbers changed. */
  readonly map?: string
}

const MAP = /\n\/\/# sourceMappingURL=data:application\/json;base64,([\w+/=]+)\s*$/

/**
 * Converts TypeScript to JavaScript. Types become spaces. If enums, namespaces or parameter properties need more, the
 * code is printed again. Throws CompileError. `url` is the module's.
 */
export function stripTypes(text: string, url: string): Stripped {
  return withoutNotice(() => {
    try {
      return strip(text)
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error
      throw new CompileError(url, Number(/^.*:(\d+)\n/.exec(error.stack ?? "")?.[1] ?? 1), error.message)
    }
  })
}

function strip(text: string): Stripped {
  try {
    return { code: stripTypeScriptTypes(text) }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX") throw error
  }
  const code = stripTypeScriptTypes(text, { mode: "transform", sourceMap: true })
  const [whole = "", encoded = ""] = MAP.exec(code) ?? []
  return { code: code.slice(0, code.length - whole.length), map: Buffer.from(encoded, "base64").toString() }
}

/** Suppresses Node's experimental warning, which would appear in the user's output. */
function withoutNotice<T>(run: () => T): T {
  // oxlint-disable-next-line typescript/unbound-method -- restored below
  const { emitWarning } = process
  const filtered = (...warning: Parameters<typeof emitWarning>) => {
    if (!String(warning[0]).startsWith("stripTypeScriptTypes is an experimental feature")) {
      Reflect.apply(emitWarning, process, warning)
    }
  }
  process.emitWarning = filtered as typeof emitWarning
  try {
    return run()
  } finally {
    process.emitWarning = emitWarning
  }
}
