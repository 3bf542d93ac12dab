import { readdirSync } from "node:fs"
import { expect, it } from "vitest"
import { providerSections } from "./sections.ts"

it("has a name of its own for every spec and section", () => {
  const names = providerSections.flatMap(({ title, specs }) => [title, ...specs.map(({ name }) => `${title}: ${name}`)])
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
})

it("runs every section there is", async () => {
  const folder = new URL("sections/", import.meta.url)
  const modules = await Promise.all(
    readdirSync(folder).map((file) => import(new URL(file, folder).href) as Promise<object>),
  )
  const sections = modules.flatMap((module) => Object.values(module) as unknown[])
  expect(new Set(providerSections)).toEqual(new Set(sections))
  expect(providerSections).toHaveLength(sections.length)
})

it("has no empty section", () => {
  expect(providerSections.filter(({ specs }) => specs.length === 0)).toEqual([])
})
