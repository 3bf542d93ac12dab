import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { expect, it } from "vitest"
import { fileTree } from "../test/file-tree.ts"
import type { ReadConfigOptions } from "./options.ts"

/** A program of its own that imports the package, calls a function of it and prints which dependencies were loaded when. */
const program = `
  import { registerHooks } from "node:module"
  const loaded = new Set()
  registerHooks({
    load(url, context, nextLoad) {
      const dependency = /node_modules[/\\\\](zod|jsonc-parser|yaml)[/\\\\]/.exec(url)?.[1]
      if (dependency) loaded.add(dependency)
      return nextLoad(url, context)
    },
  })
  const [entry, name, options] = process.argv.slice(1)
  const functions = await import(entry)
  const atImport = [...loaded]
  const { config, agents, tools } = await functions[name](JSON.parse(options))
  const names = [...(agents ?? []), ...(tools ?? [])].map((each) => each.name)
  console.log(JSON.stringify({ atImport, afterReading: [...loaded].sort(), config, ...(agents ? { names } : {}) }))
`

async function run(options: ReadConfigOptions, name = "readConfig"): Promise<unknown> {
  const entry = new URL("index.ts", import.meta.url).href
  const flags = ["--conditions=@pawl/source", "--input-type=module", "--eval", program]
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, entry, name, JSON.stringify(options)])
  return JSON.parse(stdout)
}

it("loads neither parser nor schema where there is nothing to read", async () => {
  await using tree = await fileTree()
  const outcome = await run({ directory: tree.root, env: {}, home: tree.root })
  expect(outcome).toEqual({ atImport: [], afterReading: [], config: {} })
})

it("loads the schema, not the parser, for overrides alone", async () => {
  await using tree = await fileTree()
  const outcome = await run({ directory: tree.root, env: {}, home: tree.root, overrides: { model: "a/b" } })
  expect(outcome).toEqual({ atImport: [], afterReading: ["zod"], config: { model: "a/b" } })
})

it("loads both once there is a file", async () => {
  await using tree = await fileTree({ "pawl.jsonc": { model: "a/b" } })
  const outcome = await run({ directory: tree.root, env: {}, home: tree.root })
  expect(outcome).toEqual({ atImport: [], afterReading: ["jsonc-parser", "zod"], config: { model: "a/b" } })
})

it("loads nothing where nothing is defined", async () => {
  await using tree = await fileTree({ "pawl.jsonc": "", ".claude/settings.json": "", ".pawl/notes.md": "" })
  const outcome = await run({ directory: tree.root, env: {}, home: tree.root }, "readDefinitions")
  expect(outcome).toEqual({ atImport: [], afterReading: [], names: [] })
})

it("loads the parser of front matter only for front matter", async () => {
  await using tree = await fileTree({ ".pawl/agent/a.md": "A.", ".pawl/tool/t.ts": "throw new Error()" })
  const options = { directory: tree.root, env: {}, home: tree.root }
  expect(await run(options, "readDefinitions")).toEqual({ atImport: [], afterReading: ["zod"], names: ["a", "t"] })

  await using other = await fileTree({ ".pawl/agent/a.md": "---\n---\nA." })
  const outcome = await run({ ...options, directory: other.root }, "readDefinitions")
  expect(outcome).toEqual({ atImport: [], afterReading: ["yaml", "zod"], names: ["a"] })
})
