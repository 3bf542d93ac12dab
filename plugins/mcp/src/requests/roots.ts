import { basename } from "node:path"
import { pathToFileURL } from "node:url"

export interface Root {
  readonly uri: string
  readonly name: string
}

/** The directories of sessions, which servers can query. */
export interface Roots {
  list(): readonly Root[]
  /** Adds absolute paths. Calls listeners if one is new. */
  add(...directories: readonly string[]): void
  /** Returns a function that removes the listener. */
  onChange(listener: () => void): () => void
}

export function createRoots(): Roots {
  const directories = new Set<string>()
  const listeners = new Set<() => void>()
  return {
    list: () => [...directories].map((path) => ({ uri: pathToFileURL(path).href, name: basename(path) || path })),
    add(...given) {
      const before = directories.size
      for (const directory of given) directories.add(directory)
      if (directories.size > before) for (const listener of listeners) listener()
    },
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
