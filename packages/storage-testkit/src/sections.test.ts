import { readdirSync } from "node:fs"
import { expect, it } from "vitest"
import { section } from "./section.ts"
import { storageSections } from "./sections.ts"

it("has a name of its own for every spec and section", () => {
  const names = storageSections.flatMap(({ title, specs }) => [title, ...specs.map(({ name }) => name)])
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
})

it("runs every section there is a file of", async () => {
  const folder = new URL("sections/", import.meta.url)
  const modules = await Promise.all(
    readdirSync(folder).map((file) => import(new URL(file, folder).href) as Promise<object>),
  )
  const sections = modules.flatMap((module) => Object.values(module) as unknown[])
  expect(new Set(storageSections)).toEqual(new Set(sections))
  expect(storageSections).toHaveLength(modules.length)
})

it("has no empty section", () => {
  expect(storageSections.filter(({ specs }) => specs.length === 0)).toEqual([])
})

it("makes a section of named functions, in their order, for any storage unless said otherwise", () => {
  const run = async () => {}
  const made = section("title", { "does one thing": run, "does another": run })
  const specs = ["does one thing", "does another"].map((name) => ({ name, run }))
  expect(made).toEqual({ title: "title", needs: undefined, specs })
  expect(section("title", {}, { needs: "location" }).needs).toBe("location")
})
