import { createHash, randomUUID } from "node:crypto"
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type Stripped, stripTypes } from "./strip-types.ts"

/** Age in milliseconds after which an entry is removed. Most old entries belong to texts that have changed. */
const MAX_AGE_MS = 30 * 24 * 3_600_000

/**
 * Caches the results of `stripTypes` in a directory, because loading the compiler takes longer than loading most
 * plugins. Ignores errors of the directory. Default: no cache.
 */
export function createStripCache(directory?: string): typeof stripTypes {
  if (directory === undefined) return stripTypes
  return (text, url) => {
    const file = join(directory, `${keyOf(text)}.json`)
    const known = read(file)
    if (known) return known
    const stripped = stripTypes(text, url)
    keep(directory, file, stripped)
    return stripped
  }
}

/** Another version of Node may strip differently. */
function keyOf(text: string): string {
  return createHash("sha256").update(`${process.version}\n${text}`).digest("hex")
}

function read(file: string): Stripped | undefined {
  try {
    const { code, map } = JSON.parse(readFileSync(file, "utf8")) as Partial<Stripped>
    return typeof code === "string" ? { code, ...(map === undefined ? {} : { map }) } : undefined
  } catch {
    return undefined
  }
}

/** Atomic, because other processes may read at the same time. */
function keep(directory: string, file: string, stripped: Stripped): void {
  const part = join(directory, randomUUID())
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    try {
      writeFileSync(part, JSON.stringify(stripped), { mode: 0o600, flag: "wx" })
      renameSync(part, file)
    } finally {
      rmSync(part, { force: true })
    }
    removeOld(directory)
  } catch {
    // Without the cache each process compiles the text again.
  }
}

function removeOld(directory: string): void {
  for (const name of readdirSync(directory)) {
    const file = join(directory, name)
    const { mtimeMs } = statSync(file, { throwIfNoEntry: false }) ?? {}
    if (mtimeMs !== undefined && Date.now() - mtimeMs > MAX_AGE_MS) rmSync(file, { force: true })
  }
}
