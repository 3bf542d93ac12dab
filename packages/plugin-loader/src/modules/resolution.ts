import { existsSync, statSync } from "node:fs"
import { fileURLToPath } from "node:url"

/** Where names lead that are none of Node's business: URLs by the specifier as it is written. */
export interface ModuleNames {
  /** Instead of whatever is installed. */
  readonly aliases: Readonly<Record<string, string>>
  /** Where nothing is installed. */
  readonly fallbacks: Readonly<Record<string, string>>
}

/** Node's own resolution of a specifier. Throws where it leads nowhere. */
export type NodeResolve<T> = (specifier: string) => T

const SUFFIXES = [".ts", ".tsx", ".mts", ".cts", ".js", ".mjs", ".cjs", ".json"]
/** TypeScript's authors write the suffix that the file will have when it is compiled. */
const COMPILED: Readonly<Record<string, readonly string[]>> = {
  ".js": [".ts", ".tsx"],
  ...{ ".mjs": [".mts"], ".cjs": [".cts"], ".jsx": [".tsx"] },
}
const NOT_FOUND = ["ERR_MODULE_NOT_FOUND", "MODULE_NOT_FOUND", "ERR_UNSUPPORTED_DIR_IMPORT"]
const RELATIVE = /^(?:\.{1,2}(?:\/|$)|\/|file:)/
/** A file inside of a package, such as `acme/lib/x` and `@acme/x/y`. */
const SUBPATH = /^(?:@[^/]+\/[^/]+|[^@./][^/:]*)\/./

/**
 * Resolves as authors for bundlers and Bun count on: names of the caller's, files without their suffix, directories with
 * an index file. `named` makes a result of a URL of `names`. Throws Node's error where all of that leads nowhere.
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
        // The next one, or the first error.
      }
    }
    throw error
  }
}

/** What a relative specifier or a URL may mean, in the order in which it is looked for. */
export function candidates(specifier: string): string[] {
  const [, stem = "", suffix = ""] = /^(.*?)(\.[cm]?jsx?)?$/s.exec(specifier) ?? []
  return [
    ...(COMPILED[suffix] ?? []).map((each) => stem + each),
    ...SUFFIXES.map((each) => specifier + each),
    ...SUFFIXES.map((each) => `${specifier.replace(/\/$/, "")}/index${each}`),
  ]
}

/** The file that a URL means, the same way; undefined where there is none. */
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
