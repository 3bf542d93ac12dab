import { afterAll, beforeAll, expect, it } from "vitest"
import { createScratch, type Scratch } from "../measure/scratch.ts"
import { type ModelProcess, startModel } from "../model/model-process.ts"
import { all } from "./all.ts"

const isLinux = process.platform === "linux"

/** How many rows each benchmark has. Some are measured on Linux alone. */
const rowCounts: Readonly<Record<string, number>> = {
  ...{ steps: 6, deltas: isLinux ? 4 : 2, startup: 3, plugins: 2, cli: isLinux ? 4 : 3, continue: 1 },
  // Commits, contexts and lists of four storages, answers of three, searches of two.
  storage: 4 * 3 + (isLinux ? 3 : 1) + 2,
  undo: 9,
  serve: 9,
  // Of four subjects, eight kinds of facts and three sums each.
  context: 1 + 4 * 8 + 4 * 3,
}

let model: ModelProcess
let scratch: Scratch

beforeAll(async () => {
  scratch = await createScratch()
  model = await startModel()
})

afterAll(async () => {
  await model[Symbol.asyncDispose]()
  await scratch[Symbol.asyncDispose]()
})

it.each(all)("$name completes and has its rows", async (benchmark) => {
  const rows = await benchmark.run({ model, scratch, quick: true, full: false, smallest: true })
  expect(new Set(rows.map((row) => row.benchmark))).toEqual(new Set([benchmark.name]))
  expect(rows.filter(({ result }) => !Number.isFinite(result)).map(({ what }) => what)).toEqual([])
  expect(rows.length).toBe(rowCounts[benchmark.name])
})
