import { isAbsolute, resolve } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { PluginError } from "../problem.ts"

/** A plugin in a configuration. */
export interface PluginSpec {
  readonly spec: string
  readonly options?: Readonly<Record<string, unknown>>
  /** The configuration file with the spec, if any, and the absolute base of relative paths. */
  readonly source: { readonly file?: string; readonly directory: string }
}

/** The meaning of a spec. Of two specs with the same identity the later one counts. */
export type Target =
  | { readonly kind: "file"; readonly identity: string; readonly path: string }
  | { readonly kind: "npm"; readonly identity: string }

const NAME = /^((?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*)(?:@(.+))?$/i

/**
 * Paths and `file:` URLs are files and directories. Everything else is for npm: `name`, `name@version`, an alias, a
 * repository. Throws PluginError if the spec is invalid.
 */
export function parseSpec({ spec, source }: PluginSpec): Target {
  if (spec.startsWith("file:") || spec.startsWith(".") || isAbsolute(spec)) {
    const path = filePath(spec, source.directory)
    return { kind: "file", identity: pathToFileURL(path).href, path }
  }
  if (spec.trim() !== spec || spec === "" || spec.startsWith("-") || /\p{Cc}/u.test(spec)) {
    throw new PluginError("resolve", `${JSON.stringify(spec)} is not a plugin. Name a package, a path or a file: URL.`)
  }
  return { kind: "npm", identity: NAME.exec(spec)?.[1] ?? spec }
}

function filePath(spec: string, directory: string): string {
  if (!spec.startsWith("file:")) return resolve(directory, spec)
  if (!spec.startsWith("file://")) return resolve(directory, spec.slice("file:".length))
  try {
    return fileURLToPath(spec)
  } catch (cause) {
    throw new PluginError("resolve", `${spec} is not a file: URL of this machine. Write file:///absolute/path.`, {
      cause,
    })
  }
}

/** Keeps only the last item of each identity, in order. */
export function lastOfEach<T>(all: readonly T[], identity: (one: T) => string): T[] {
  const last = new Map(all.map((one) => [identity(one), one]))
  return all.filter((one) => last.get(identity(one)) === one)
}
