import { basename } from "node:path"
import { pathToFileURL } from "node:url"

export interface Root {
  readonly uri: string
  readonly name: string
}

/** The places that sessions work in, for servers to know. */
export interface Roots {
  list(): readonly Root[]
  /** Absolute paths. Tells listeners where one is new. */
  add(...directories: readonly string[]): void
  /** Gives a way to stop listening. */
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
