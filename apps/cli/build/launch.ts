import { mkdirSync, readFileSync } from "node:fs"
import module from "node:module"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { start } from "../src/start.ts"
import { openCodeCache } from "./code-cache.ts"
import { createChunks } from "./load-chunks.ts"

interface Start {
  readonly start: typeof start
}

/** Milliseconds after which a start is over, and what it compiled is worth keeping; later V8 forgets what ran once. */
const STARTED = 3000

const ENTRY = "./start.cjs"

/** Runs the command line from the bundle. `meta`: of a module beside its chunks. */
export async function launch(meta: ImportMeta, given: readonly string[]): Promise<void> {
  const caches = cacheDirectory(process.env)
  if (caches === undefined) return (createChunks(meta, () => undefined).load(ENTRY) as Start).start(given)
  enableCompileCache(join(caches, "compile"))
  const cache = openCodeCache({
    directory: join(caches, "code"),
    command: commandOf(given),
    entry: readFileSync(fileURLToPath(new URL(ENTRY, meta.url))),
  })
  const chunks = createChunks(meta, cache.compiled)
  const keep = () => cache.keep(chunks.scripts, chunks.uncached)
  setTimeout(keep, STARTED).unref()
  await (chunks.load(ENTRY) as Start).start(given)
  keep()
}

/** Not Node's own place: that lies below a directory which all users share, and what is found there is run. */
function cacheDirectory({ XDG_CACHE_HOME: cache, HOME: home }: NodeJS.ProcessEnv): string | undefined {
  if (cache?.startsWith("/")) return `${cache}/pawl`
  return home?.startsWith("/") ? `${home}/.cache/pawl` : undefined
}

/** Of modules that are not in the bundle. */
function enableCompileCache(directory: string): void {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    module.enableCompileCache?.(directory)
  } catch {
    // Without a place for it each start compiles anew.
  }
}

/** Each first word has a cache of its own, and so has the help for all of them. */
function commandOf(given: readonly string[]): string {
  return given.find((word) => /^[a-z]{1,20}$/.test(word)) ?? "help"
}
