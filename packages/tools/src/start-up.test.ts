import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { expect, it } from "vitest"
import { testDirectory } from "../test/directory.ts"

/** A program of its own that builds the tools, runs one, and prints which heavy dependencies were loaded when. */
const program = `
  import { registerHooks } from "node:module"
  const loaded = new Set()
  registerHooks({
    load(url, context, nextLoad) {
      const dependency = /node_modules[/\\\\](diff|htmlparser2|@vscode[/\\\\]ripgrep|zod[/\\\\]v4[/\\\\]classic)[/\\\\]/.exec(url)?.[1]
      if (dependency) loaded.add(dependency)
      return nextLoad(url, context)
    },
  })
  const [entry, directory] = process.argv.slice(1)
  const { builtinTools } = await import(entry)
  const tools = builtinTools()
  const atStart = [...loaded]
  const files = { before: async () => {}, after: async () => {} }
  const place = { directory, worktree: directory, sessionID: "ses_1" }
  const judgeReads = async () => () => "allow"
  const context = { ...place, files, judgeReads, signal: new AbortController().signal, env: async () => ({}) }
  const write = tools.find((tool) => tool.name === "write")
  await write.execute(write.parse({ filePath: "a.txt", content: "x" }), context)
  const glob = tools.find((tool) => tool.name === "glob")
  await glob.execute(glob.parse({ pattern: "*" }), context)
  console.log(JSON.stringify({ atStart, afterUse: [...loaded].sort() }))
`

it("loads heavy dependencies only when a tool needs them", async () => {
  const entry = new URL("index.ts", import.meta.url).href
  const flags = ["--conditions=@pawl/source", "--input-type=module", "--eval", program]
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, entry, await testDirectory()])
  expect(JSON.parse(stdout)).toEqual({ atStart: [], afterUse: ["@vscode/ripgrep", "diff"] })
})
