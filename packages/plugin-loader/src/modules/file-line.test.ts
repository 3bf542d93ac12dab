import { expect, it, onTestFinished } from "vitest"
import { testFiles } from "../../test/files.ts"
import { createModules } from "./modules.ts"

it("an error of a plugin's function is found in its files, where lines moved and in a later version too", async () => {
  const files = await testFiles({
    "p/a.ts":
      'enum Colour {\n  Blue,\n}\nimport { deep } from "../lib/b.ts"\nimport { far } from "dep"\nexport const own = () => {\n  throw new Error(String(Colour.Blue))\n}\nexport { deep, far }',
    "lib/b.ts": "export type A = 1\nexport const deep = (): A => {\n  throw new TypeError()\n}",
    "p/node_modules/dep/package.json": '{ "name": "dep", "type": "module", "main": "i.js" }',
    "p/node_modules/dep/i.js": "export const far = () => JSON.parse('{')",
  })
  const modules = createModules()
  onTestFinished(() => modules.close())
  const lineOf = async (name: string) => {
    const imported = await modules.import(files.path("p/a.ts"), { deadline: 60_000 })
    if ("problem" in imported) throw new Error(imported.problem.message)
    try {
      ;(imported.exports[name] as () => void)()
    } catch (error) {
      return modules.locate(files.path("p/a.ts"), error)
    }
    return undefined
  }

  const all = async () => [await lineOf("own"), await lineOf("deep"), await lineOf("far")]
  const found = [
    { file: files.path("p/a.ts"), line: 7 },
    { file: files.path("lib/b.ts"), line: 3 },
    { file: files.path("p/node_modules/dep/i.js"), line: 1 },
  ]
  expect(await all()).toEqual(found)
  await files.write({ "lib/b.ts": "export const deep = () => {\n  throw new TypeError()\n}" })
  expect(await all()).toEqual([found[0], { file: files.path("lib/b.ts"), line: 2 }, found[2]])
  expect(modules.locate(files.path("p/a.ts"), new Error("of another"))).toBeUndefined()
  for (const odd of [undefined, "x", Object.assign(new Error(), { stack: 5 })]) {
    expect(modules.locate(files.path("p/a.ts"), odd)).toBeUndefined()
  }
})
