// The client that the conformance suite runs: connects the server that it is told of, and does what the scenario wants.
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createAuthorizer, createMcp, McpServerError } from "../../src/index.ts"

/** Calls of tools by scenario, with their arguments. */
const CALLS: Readonly<Record<string, readonly (readonly [tool: string, args: object])[]>> = {
  tools_call: [["add_numbers", { a: 5, b: 3 }]],
  "elicitation-sep1034-client-defaults": [["test_client_elicitation_defaults", {}]],
  "sse-retry": [["test_reconnection", {}]],
}

/** How often people would let themselves be asked. */
const PATIENCE = 2

const url = process.argv.at(-1) ?? ""
const scenario = process.env["MCP_CONFORMANCE_SCENARIO"] ?? ""
const given = JSON.parse(process.env["MCP_CONFORMANCE_CONTEXT"] ?? "{}") as {
  client_id?: string
  client_secret?: string
}
const oauth = {
  // Scenarios run side by side.
  callbackPort: 0,
  clientMetadataUrl: "https://conformance-test.local/client-metadata.json",
  ...(given.client_id === undefined ? {} : { clientId: given.client_id, clientSecret: given.client_secret }),
}
const directory = await mkdtemp(join(tmpdir(), "pawl-mcp-conformance-"))
const authorizer = createAuthorizer({ dataDirectory: directory })
const servers = { suite: { config: { type: "remote", url }, scope: "user" as const } }
const { control } = createMcp({
  servers,
  directory,
  dataDirectory: directory,
  authFor: (server, fetch) => authorizer.fetchFor({ ...server, oauth }, fetch),
})

/** What people at a terminal do: they authorize the server when they are told to. */
async function authorized<T>(work: () => Promise<T>): Promise<T> {
  for (let asked = 0; ; asked++) {
    try {
      return await work()
    } catch (error) {
      const isAsked = error instanceof McpServerError && error.kind === "needs-auth"
      if (!isAsked || asked === PATIENCE) throw error
      // Its authorization server asks nobody: it sends the browser back at once.
      const openBrowser = async (address: string) => void (await fetch(address))
      await authorizer.authorize({ name: "suite", url, oauth }, { openBrowser })
    }
  }
}

try {
  const tools = await authorized(() => control.tools("suite"))
  // Whoever is asked answers nothing, so that what a form says by itself counts.
  const context = { ask: async (questions: readonly unknown[]) => questions.map(() => []) }
  const calls = CALLS[scenario] ?? tools.map(({ tool }) => [tool.name, {}] as const)
  for (const [tool, args] of calls) {
    console.log(JSON.stringify(await authorized(() => control.call("suite", tool, args, context))))
  }
} finally {
  await control.close()
  await authorizer.close()
  await rm(directory, { recursive: true })
}
