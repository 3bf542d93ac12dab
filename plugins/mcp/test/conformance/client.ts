// The client that the conformance suite runs: connects the server that it is told of, and does what the scenario wants.
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createMcp } from "../../src/index.ts"

/** Calls of tools by scenario, with their arguments. */
const CALLS: Readonly<Record<string, readonly (readonly [tool: string, args: object])[]>> = {
  tools_call: [["add_numbers", { a: 5, b: 3 }]],
  "elicitation-sep1034-client-defaults": [["test_client_elicitation_defaults", {}]],
  "sse-retry": [["test_reconnection", {}]],
}

const url = process.argv.at(-1) ?? ""
const scenario = process.env["MCP_CONFORMANCE_SCENARIO"] ?? ""
const directory = await mkdtemp(join(tmpdir(), "pawl-mcp-conformance-"))
const servers = { suite: { config: { type: "remote", url }, scope: "user" as const } }
const { control } = createMcp({ servers, directory, dataDirectory: directory })
try {
  const tools = await control.tools("suite")
  // Whoever is asked answers nothing, so that what a form says by itself counts.
  const context = { ask: async (questions: readonly unknown[]) => questions.map(() => []) }
  const calls = CALLS[scenario] ?? tools.map(({ tool }) => [tool.name, {}] as const)
  for (const [tool, args] of calls) console.log(JSON.stringify(await control.call("suite", tool, args, context)))
} finally {
  await control.close()
  await rm(directory, { recursive: true })
}
