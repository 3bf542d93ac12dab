import { readArguments, usage } from "./src/arguments.ts"
import { all } from "./src/benchmarks/all.ts"
import type { Benchmark, Setting } from "./src/benchmarks/benchmark.ts"
import { createScratch } from "./src/measure/scratch.ts"
import { startModel } from "./src/model/model-process.ts"
import { circumstances, describe, load } from "./src/report/circumstances.ts"
import { isMissed, type Row } from "./src/report/row.ts"
import { table } from "./src/report/table.ts"

async function main(): Promise<number> {
  const { chosen, json, check, quick, full, help } = readArguments(process.argv.slice(2), all)
  if (help) {
    process.stdout.write(usage(all))
    return 0
  }
  await using scratch = await createScratch()
  await using model = await startModel()
  const loads = [load()]
  const rows: Row[] = []
  let failed = false
  for (const benchmark of chosen) {
    const found = await attempt(benchmark, { model, scratch, quick, full, smallest: false })
    failed ||= found === undefined
    rows.push(...(found ?? []))
    loads.push(load())
  }
  const about = circumstances({ loads, quick, inMemory: scratch.inMemory })
  const text = json ? JSON.stringify({ ...about, rows }, undefined, 2) : `\n${table(rows)}\n\n${describe(about)}`
  process.stdout.write(`${text}\n`)
  return failed || (check && rows.some(isMissed)) ? 1 : 0
}

/** Returns the rows of a benchmark. Prints an error and returns undefined if it fails, so that the others still run. */
async function attempt(benchmark: Benchmark, setting: Setting): Promise<readonly Row[] | undefined> {
  const { name, summary } = benchmark
  process.stderr.write(`${name}: ${summary} …\n`)
  try {
    return await benchmark.run(setting)
  } catch (error) {
    process.stderr.write(`${name} could not be measured: ${error instanceof Error ? error.message : String(error)}\n`)
    return undefined
  }
}

try {
  process.exitCode = await main()
} catch (error) {
  process.stderr.write(`bench: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 2
}
