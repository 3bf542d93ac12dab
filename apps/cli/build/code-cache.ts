import { lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type vm from "node:vm"
import { crc32 } from "node:zlib"
import { decodeCode, encodeCode, type WrittenCode } from "./code-file.ts"

/** Each of the first runs of a command may come by functions that those before it did without. */
const RUNS = 3

/** In milliseconds: what is older is of versions that are gone, most likely; else it is made anew. */
const OLD = 30 * 24 * 60 * 60 * 1000

export interface CodeCacheOptions {
  /** Absolute. It becomes this user's alone; of another user's nothing is read. */
  readonly directory: string
  /** What runs: each command compiles something else. */
  readonly command: string
  /** The text of the first chunk: it names all others by the hashes of theirs. */
  readonly entry: Buffer
}

export interface CodeCache {
  /** What earlier runs have compiled of a chunk. */
  readonly compiled: (name: string) => Buffer | undefined
  /** Stores what has been compiled up to now, unless that is known. Never throws: without it the next start takes longer. */
  keep(scripts: ReadonlyMap<string, vm.Script>, uncached: ReadonlySet<string>): void
}

/** What V8 has compiled of the bundle, functions that ran included, which Node's own compile cache leaves out. */
export function openCodeCache({ directory, command, entry }: CodeCacheOptions): CodeCache {
  const file = join(directory, [command, process.version, process.arch, crc32(entry).toString(16)].join("-"))
  const isUsable = isOwn(directory)
  const known = isUsable ? read(file) : undefined
  let isKept = !isUsable
  return {
    compiled: (name) => known?.code(name),
    keep(scripts, uncached) {
      if (isKept || (known && known.runs >= RUNS && uncached.size === 0)) return
      isKept = true
      const chunks = new Map<string, Buffer>([...scripts].map(([name, script]) => [name, script.createCachedData()]))
      for (const name of known?.names ?? []) {
        const code = chunks.has(name) ? undefined : known?.code(name)
        if (code) chunks.set(name, code)
      }
      write(file, encodeCode({ chunks, runs: (known?.runs ?? 0) + 1 }))
      removeOld(directory)
    },
  }
}

/** Code that somebody else could write is not run. */
function isOwn(directory: string): boolean {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    const { uid, mode } = lstatSync(directory)
    return process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0)
  } catch {
    return false
  }
}

function read(file: string): WrittenCode | undefined {
  try {
    return decodeCode(readFileSync(file))
  } catch {
    return undefined
  }
}

/** Whole or not at all: others start meanwhile. */
function write(file: string, code: Buffer): void {
  const part = `${file}.${process.pid}`
  try {
    writeFileSync(part, code, { mode: 0o600, flag: "wx" })
    renameSync(part, file)
  } catch {
    rmSync(part, { force: true })
  }
}

function removeOld(directory: string): void {
  try {
    for (const name of readdirSync(directory)) {
      const file = join(directory, name)
      if (Date.now() - lstatSync(file).mtimeMs > OLD) rmSync(file, { force: true })
    }
  } catch {
    // Another process removes them as well.
  }
}
