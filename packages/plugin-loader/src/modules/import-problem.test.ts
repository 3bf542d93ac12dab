import { expect, it, onTestFinished } from "vitest"
import { testFiles } from "../../test/files.ts"
import { createModules } from "./modules.ts"

/** A plugin that imports the package `mid`, whose `i.js` holds this text. */
async function importing(text: string, manifest: object) {
  const files = await testFiles({
    "p/index.ts": 'import "mid"',
    "p/node_modules/mid/package.json": JSON.stringify({ name: "mid", version: "1.2.3", main: "i.js", ...manifest }),
    "p/node_modules/mid/i.js": text,
  })
  const modules = createModules()
  onTestFinished(() => modules.close())
  return { files, modules, imported: await modules.import(files.path("p/index.ts"), { deadline: 60_000 }) }
}

const needs = "The package mid 1.2.3 needs"
const module = { type: "module" }

it.each([
  ["imports", 'import "left"', { ...module, dependencies: { left: "^1" } }, `${needs} left, which is not installed`],
  ["imports in time", '\nawait import("left/x")', module, `${needs} left without naming it among its dependencies`],
  ["requires", 'require("@a/left/sub")', { peerDependencies: { "@a/left": "*" } }, `${needs} @a/left, which is not`],
  ["requires unnamed", '\nrequire("left")', {}, `${needs} left without naming it`],
  ["imports of its own", 'import "./gone.js"', module, "A file of the package mid 1.2.3 is missing: install it again."],
])("what a package %s and is not there is named with the package", async (_how, text, manifest, message) => {
  const { files, imported } = await importing(text, manifest)

  expect(imported).toEqual({
    problem: {
      message: expect.stringContaining(message) as string,
      file: files.path("p/node_modules/mid/i.js"),
      ...(text.includes("gone") ? {} : { line: text.startsWith("\n") ? 2 : 1 }),
    },
  })
})

it("a package without its main file is named", async () => {
  const { imported } = await importing("", { ...module, main: "gone.js" })

  expect(imported).toMatchObject({
    problem: { message: expect.stringContaining("A file of the package mid 1.2.3 is missing") as string },
  })
})
