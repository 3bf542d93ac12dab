import { runSpec, type Spec, storageSections } from "@pawl/storage-testkit"
import { describe, expect, it } from "vitest"
import { faults } from "./faults.ts"
import { locatedMemory } from "./located-memory.ts"

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

describe.each(Object.entries(faults))("%s", (title, some) => {
  it.each(some)("notices a storage that $fault", async ({ breaks, open }) => {
    for (const name of breaks) {
      const spec = findSpec(title, name)
      await runSpec(spec, locatedMemory())
      const failure = await failureOf(runSpec(spec, open(locatedMemory())))
      expect([name, failure]).toEqual([name, expect.any(Error)])
      // The storage is to break its promise, not to stumble over itself.
      expect(failure).not.toBeInstanceOf(TypeError)
    }
  })
})

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
