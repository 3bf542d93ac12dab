import { mkdtempSync, rmSync } from "node:fs"
import { writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describeRecord, runSpec, type Spec, storageSections, storeSamples } from "@pawl/storage-testkit"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Fault } from "./fault.ts"
import { faults } from "./faults.ts"
import { locatedMemory } from "./located-memory.ts"
import { recordCalls } from "./recorded-calls.ts"

const directory = mkdtempSync(join(tmpdir(), "pawl-faults-"))
const fixture = { name: "sample records", path: join(directory, "samples") }

beforeAll(async () => {
  const storage = await recordCalls(fixture.path, storeSamples)
  await writeFile(`${fixture.path}.json`, JSON.stringify(await describeRecord(storage)))
})
afterAll(() => rmSync(directory, { recursive: true }))

it("has faults for every section, and for no other", () => {
  const titles = storageSections.map(({ title }) => title)
  expect(new Set(Object.keys(faults))).toEqual(new Set(titles))
  expect(Object.values(faults).filter((some) => some.length === 0)).toEqual([])
})

it("has a fault for every spec, which shows that the spec can fail", () => {
  const broken = new Set(Object.values(faults).flatMap((some) => some.flatMap(({ breaks }) => breaks)))
  const specs = storageSections.flatMap((section) => section.specs.map(({ name }) => `${section.title}: ${name}`))
  expect(specs.filter((name) => !broken.has(name.slice(name.indexOf(": ") + 2)))).toEqual([])
})

describe.each(storageSections)("$title", ({ specs }) => {
  it.each(specs)("passes on an intact storage: $name", async (spec) => {
    await expect(run(spec)).resolves.toBeUndefined()
  })
})

describe.each(Object.entries(faults))("%s", (title, some) => {
  it.each(some)("notices a storage that $fault", async ({ breaks, open }) => {
    for (const name of breaks) {
      const failure = await failureOf(run(findSpec(title, name), open))
      expect([name, failure]).toEqual([name, expect.any(Error)])
      // The storage is to break its promise, not to stumble over itself.
      expect(failure).not.toBeInstanceOf(TypeError)
    }
  })
})

async function run(spec: Spec, breaking: Fault["open"] = (open) => open): Promise<void> {
  const { open, countReads, damage } = locatedMemory()
  await runSpec(spec, breaking(open), { countReads, damage, fixtures: [fixture] })
}

function findSpec(title: string, name: string): Spec {
  const specs = storageSections.find((section) => section.title === title)?.specs
  const spec = specs?.find((some) => some.name === name)
  if (!spec) throw new Error(`The section "${title}" has no spec "${name}".`)
  return spec
}

async function failureOf(run: Promise<void>): Promise<unknown> {
  try {
    await run
    return undefined
  } catch (error) {
    return error
  }
}
