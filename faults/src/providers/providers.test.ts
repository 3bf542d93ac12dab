import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { casesAgain, casesOnce } from "./cases.ts"
import { cutMany } from "./cut-answers.ts"
import { runCases } from "./spoil-answers.ts"
import { unguarded } from "./unguarded.ts"
import { wires } from "./wires.ts"

let fastDirectory: string
beforeAll(async () => {
  fastDirectory = await mkdtemp(join(tmpdir(), "pawl-providers-"))
})
afterAll(() => rm(fastDirectory, { recursive: true, force: true }))

const onPoint = () => undefined
/** Waits of a second, and of deadlines, are left to the whole sweep, but for one. */
const isSlow = (name: string) => /retry-after 1 s|as a date|silence|without end|few bytes/.test(name)
/** Of the faults inside a stream those that differ most. */
const isSampled = (name: string) =>
  !/, (?:before|after|in|behind) the|, in a|, behind a/.test(name) || /in the second call|in a text/.test(name)

const sample = casesOnce(1000).filter(
  ({ name, at }) => !isSlow(name) && isSampled(name) && (at === 0 || /in a text/.test(name)),
)

describe.each(wires.map((wire, index) => ({ wire, index, name: wire.name })))("over $name", ({ wire, index }) => {
  it("a fault ends in another try or in an error of its kind, billed once, with nothing left open", async () => {
    // Each fault over one of the formats; the sweep has each over all.
    const once = sample.filter((_case, at) => at % wires.length === index)
    const silent = casesOnce(1000).filter(({ name }) => name === "silence, in a text (answer)")
    const hopeless = casesAgain(1000).filter(({ name }) => /^(?:reset, in|status 503)/.test(name))
    const cases = [...once, ...silent, ...hopeless]
    const { bad, points } = await runCases({ wire, directory: fastDirectory, onPoint }, cases)
    expect(bad).toEqual([])
    expect(points).toBeGreaterThan(15)
  })

  it("no tool runs twice and no half answer passes for one, wherever bytes are cut", async () => {
    const { bad, cuts } = await cutMany({ fastDirectory, onPoint }, wire, { cuts: 20, seed: 42 })
    expect(bad).toEqual([])
    expect(cuts).toBeGreaterThanOrEqual(20)
  })
})

it("an engine that takes half an answer for a whole one is found out", async () => {
  const [wire] = wires
  if (!wire) return expect.fail("There is no wire format.")
  const cases = casesOnce(1000).filter(({ name }) => name === "reset, in a text (answer)")
  const { bad } = await runCases({ wire, directory: fastDirectory, onPoint, sabotage: unguarded }, cases)
  expect(bad.join("\n")).toMatch(/half a text/)
})
