import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { expect, it } from "vitest"
import { fileTree } from "../test/file-tree.ts"
import type { ReadConfigOptions } from "./options.ts"

/** A program of its own that imports the package, calls readConfig and prints which dependencies were loaded when. */
const program = `
  import { registerHooks } from "node:module"
  const loaded = new Set()
  registerHooks({
    load(url, context, nextLoad) {
      const dependency = /node_modules[/\\\\](zod|jsonc-parser)[/\\\\]/.exec(url)?.[1]
      if (dependency) loaded.add(dependency)
      return nextLoad(url, context)
    },
  })
  const [entry, options] = process.argv.slice(1)
  const { readConfig } = await import(entry)
  const atImport = [...loaded]
  const { config } = await readConfig(JSON.parse(options))
  console.log(JSON.stringify({ atImport, afterReading: [...loaded].sort(), config }))
`

async function run(options: ReadConfigOptions): Promise<unknown> {
  const entry = new URL("index.ts", import.meta.url).href
  const flags = ["--conditions=@pawl/source", "--input-type=module", "--eval", program]
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, entry, JSON.stringify(options)])
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
