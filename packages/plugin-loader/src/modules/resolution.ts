import { existsSync, statSync } from "node:fs"
import { fileURLToPath } from "node:url"

/** URLs by specifier, for names that Node does not resolve. */
export interface ModuleNames {
  /** Override installed packages. */
  readonly aliases: Readonly<Record<string, string>>
  /** Used if nothing is installed. */
  readonly fallbacks: Readonly<Record<string, string>>
}

/** Node's own resolution. Throws if it fails. */
export type NodeResolve<T> = (specifier: string) => T

const SUFFIXES = [".ts", ".tsx", ".mts", ".cts", ".js", ".mjs", ".cjs", ".json"]
/** TypeScript imports use the suffix of the compiled file. */
const COMPILED: Readonly<Record<string, readonly string[]>> = {
  ".js": [".ts", ".tsx"],
  ...{ ".mjs": [".mts"], ".cjs": [".cts"], ".jsx": [".tsx"] },
}
const NOT_FOUND = ["ERR_MODULE_NOT_FOUND", "MODULE_NOT_FOUND", "ERR_UNSUPPORTED_DIR_IMPORT"]
const RELATIVE = /^(?:\.{1,2}(?:\/|$)|\/|file:)/
/** A file inside of a package, such as `acme/lib/x` and `@acme/x/y`. */
const SUBPATH = /^(?:@[^/]+\/[^/]+|[^@./][^/:]*)\/./

/**
 * Resolves like bundlers and Bun: the caller's names, files without suffix, directories with an index file. `named`
 * converts a URL of `names` to a result. Throws Node's error if everything fails.
 */
export function resolveLoosely<T>(
  specifier: string,
  names: ModuleNames,
  next: NodeResolve<T>,
  named: (url: string) => T,
): T {
  const alias = own(names.aliases, specifier)
  if (alias !== undefined) return named(alias)
  try {
    return next(specifier)
  } catch (error) {
    if (!isNotFound(error)) throw error
    const fallback = own(names.fallbacks, specifier)
    if (fallback !== undefined) return named(fallback)
    if (!RELATIVE.test(specifier) && !SUBPATH.test(specifier)) throw error
    for (const candidate of candidates(specifier)) {
      try {
        return next(candidate)
      } catch {
        // Try the next candidate, or throw the first error.
      }
    }
    throw error
  }
}

/** Returns the candidates for a relative specifier or a URL, in order. */
export function candidates(specifier: string): string[] {
  const [, stem = "", suffix = ""] = /^(.*?)(\.[cm]?jsx?)?$/s.exec(specifier) ?? []
  return [
    ...(COMPILED[suffix] ?? []).map((each) => stem + each),
    ...SUFFIXES.map((each) => specifier + each),
    ...SUFFIXES.map((each) => `${specifier.replace(/\/$/, "")}/index${each}`),
  ]
}

/** Returns the existing file for a URL; undefined if there is no such file. */
export function fileMeant(url: string): string | undefined {
  return [url, ...candidates(url)].find((each) => {
    const path = fileURLToPath(each)
    return existsSync(path) && statSync(path).isFile()
  })
}

export function isNotFound(error: unknown): boolean {
  return error instanceof Error && NOT_FOUND.includes(String((error as NodeJS.ErrnoException).code))
}

function own(table: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined
}
