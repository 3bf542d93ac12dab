import { mkdtemp, realpath, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { readArguments, USAGE } from "./arguments.ts"
import { pluginNames } from "./plugin-names.ts"
import { table } from "./table.ts"
import { RegistryError, type Tried, tryPlugin } from "./try-plugin.ts"

const FAILED = 1
const UNUSABLE = 2
const INTERRUPTED = 130

async function main(): Promise<number> {
  const { chosen, json, help } = readArguments(process.argv.slice(2), pluginNames)
  if (help) {
    process.stdout.write(USAGE)
    return 0
  }
  const abort = new AbortController()
  process.once("SIGINT", () => abort.abort(new Error("It was interrupted.")))
  const scratch = await realpath(await mkdtemp(join(tmpdir(), "pawl-plugins-")))
  const all: Tried[] = []
  try {
    for (const [index, name] of chosen.entries()) {
      process.stderr.write(`${index + 1}/${chosen.length} ${name} … `)
      const tried = await tryPlugin(name, scratch, abort.signal)
      process.stderr.write(`${tried.outcome}\n`)
      if (json) process.stdout.write(`${JSON.stringify(tried)}\n`)
      all.push(tried)
    }
    return all.every(({ outcome }) => outcome === "works") ? 0 : FAILED
  } catch (error) {
    if (!abort.signal.aborted && !(error instanceof RegistryError)) throw error
    process.stderr.write(`\n${(error as Error).message}\n`)
    return abort.signal.aborted ? INTERRUPTED : UNUSABLE
  } finally {
    // A plugin may have left processes that write there for a moment.
    await rm(scratch, { recursive: true, force: true, maxRetries: 10 })
    if (!json && all.length > 0) process.stdout.write(`\n${table(all)}\n`)
  }
}

try {
  process.exitCode = await main()
} catch (error) {
  process.stderr.write(`popular-plugins: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = UNUSABLE
}
