import { globSync } from "node:fs"
import { matchesGlob, resolve } from "node:path"

export interface ScanOptions {
  readonly cwd?: string
  /** Yields absolute paths. */
  readonly absolute?: boolean
  /** If false, directories are included. Default: true. */
  readonly onlyFiles?: boolean
  /** If true, names that begin with a dot are included. Default: false. */
  readonly dot?: boolean
}

/** Bun's patterns for paths, with those of Node. */
export class Glob {
  readonly pattern: string
  constructor(pattern: string) {
    this.pattern = pattern
  }

  match(path: string): boolean {
    return matchesGlob(path, this.pattern)
  }

  *scanSync(given: string | ScanOptions = {}): Generator<string> {
    const {
      cwd = process.cwd(),
      absolute = false,
      onlyFiles = true,
      dot = false,
    } = typeof given === "string" ? { cwd: given } : given
    for (const entry of globSync(this.pattern, { cwd, withFileTypes: true })) {
      if (onlyFiles && entry.isDirectory()) continue
      const path = resolve(entry.parentPath, entry.name)
      const shown = path.slice(resolve(cwd).length + 1)
      if (!dot && shown.split("/").some((name) => name.startsWith("."))) continue
      yield absolute ? path : shown
    }
  }

  async *scan(given: string | ScanOptions = {}): AsyncGenerator<string> {
    yield* this.scanSync(given)
  }
}
