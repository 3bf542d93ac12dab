// Plays clients of OpenCode's HTTP interface with `pawl serve`, and prints a table. `pnpm clients`
import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { readArguments, usage } from "./arguments.ts"
import { features } from "./features.ts"
import { dependencies, InstallError, installPackages } from "./packages.ts"
import { type Outcome, playCell } from "./play.ts"
import { rows } from "./rows.ts"
import { counts, table } from "./table.ts"

const FAILED = 1
const UNUSABLE = 2
const INTERRUPTED = 130

async function main(): Promise<number> {
  const names = rows.map(({ name }) => name)
  const { cells, json, packages: kept, help } = readArguments(process.argv.slice(2), names)
  if (help) {
    process.stdout.write(usage(names))
    return 0
  }
  const say = (text: string) => process.stderr.write(text)
  const abort = new AbortController()
  for (const name of ["SIGINT", "SIGTERM"]) process.once(name, () => abort.abort(new Error("It was interrupted.")))
  const { signal } = abort
  const scratch = await realpath(await mkdtemp(join(tmpdir(), "pawl-clients-")))
  // The browser is unpacked there.
  process.env["TMPDIR"] = scratch
  const outcomes: Outcome[] = []
  try {
    const packages = resolve(kept ?? join(scratch, "packages"))
    say(
      `Installing ${Object.entries(dependencies)
        .map((each) => each.join("@"))
        .join(", ")} …\n`,
    )
    await installPackages(packages, signal)
    for (const row of rows) {
      const chosen = features.filter((feature) =>
        cells.some((cell) => cell.client === row.name && (cell.feature ?? feature) === feature),
      )
      for (const feature of chosen) {
        say(`${row.name}:${feature} … `)
        const outcome = await playCell(row, feature, { scratch, packages, signal })
        say(`${outcome.outcome}${outcome.ms === undefined ? "" : ` after ${outcome.ms} ms`}\n`)
        if (outcome.outcome === "fails") say(`${outcome.reason}\n`)
        outcomes.push(outcome)
      }
    }
    return outcomes.every(({ outcome }) => outcome !== "fails") ? 0 : FAILED
  } catch (error) {
    if (!signal.aborted && !(error instanceof InstallError)) throw error
    say(`\n${(error as Error).message}\n`)
    return signal.aborted ? INTERRUPTED : UNUSABLE
  } finally {
    // A client may have left processes that write there for a moment.
    await rm(scratch, { recursive: true, force: true, maxRetries: 10 })
    if (json !== undefined) await writeFile(json, `${JSON.stringify({ versions: dependencies, outcomes }, null, 2)}\n`)
    const played = rows.filter(({ name }) => outcomes.some(({ client }) => client === name))
    if (played.length > 0) process.stdout.write(`\n${table(played, outcomes)}\n\n${counts(outcomes)}\n`)
  }
}

try {
  process.exitCode = await main()
} catch (error) {
  process.stderr.write(`clients: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = UNUSABLE
}
