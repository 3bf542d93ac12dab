import type { McpControl, ServerReport } from "@pawl/plugin-mcp"
import { type CommandInput, defineCommand } from "../../arguments/command.ts"
import { milliseconds } from "../../arguments/milliseconds.ts"
import { type ExitCode, exitCodes } from "../../exit-code.ts"
import type { Host } from "../../host.ts"
import type { ConfiguredServer } from "@pawl/runtime/mcp/configured-servers"
import { listedServer } from "../../mcp/listed-server.ts"
import { connectServers } from "../../mcp/connect-servers.ts"
import { serverEntries } from "@pawl/runtime/mcp/open-mcp"
import { offerLines } from "../../mcp/offer-lines.ts"
import { readServerOffer } from "@pawl/runtime/mcp/server-offer"
import { type ListedServer, serverLines } from "../../mcp/server-lines.ts"
import { findServer } from "@pawl/runtime/mcp/find-server"
import { withServers } from "../../mcp/with-servers.ts"
import { createTheme, wantsColour } from "@pawl/terminal-text/theme"
import { directoryOptions, format } from "../../command-options.ts"

const mcpListOptions = {
  offline: { summary: "do not connect; list what is configured" },
  timeout: { value: "<time>", summary: "time limit for connecting, such as 5s or 1m (default: 10s)" },
  ...directoryOptions,
  ...format,
} as const

const CONNECT_TIMEOUT_MS = 10_000

function mcpList({ options, words }: CommandInput<typeof mcpListOptions>, host: Host): Promise<ExitCode> {
  const { stdout, environment, secrets } = host
  const timeout =
    options.timeout === undefined
      ? CONNECT_TIMEOUT_MS
      : milliseconds("--timeout", options.timeout, "mcp list", "5s or 1m")
  const isJSON = options.format === "json"
  return withServers(options, host, async (opened, stop) => {
    const wanted = words.length > 0 ? [findServer(opened, words[0])] : opened.servers
    if (wanted.length === 0) {
      if (!isJSON) stdout.write("No MCP servers. Add one: pawl mcp add <name> …\n")
      return exitCodes.success
    }
    const mcp = await opened.mcp({ servers: serverEntries(wanted) })
    const { control, authorizer } = mcp
    if (!options.offline) {
      const names = wanted.filter(({ name }) => isUsable(name, opened.servers)).map(({ name }) => name)
      await connectServers(control, await allowed(control, names), { timeout, signal: stop.signal }, host)
    }
    const reports = new Map((await control.status()).map((report) => [report.name, report]))
    const { directory } = opened.settings
    const rows = await Promise.all(
      wanted.map((server) =>
        listedServer(server, reports.get(server.name) ?? unreadable(server, control), { authorizer, directory }),
      ),
    )
    const offered = words.length > 0 ? await readServerOffer(mcp, words[0] ?? "", stop.signal) : undefined
    const theme = createTheme(wantsColour(environment, stdout.isTerminal))
    const layout = { columns: stdout.isTerminal ? stdout.columns : 160, theme }
    const lines = isJSON
      ? rows.map((row) => JSON.stringify({ ...factsOf(row), ...offered }))
      : [...serverLines(rows, layout), ...(offered ? offerLines(offered, layout) : [])]
    stdout.write(`${secrets.mask(lines.join("\n"))}\n`)
    return exitCodes.success
  })
}

function isUsable(name: string, servers: readonly ConfiguredServer[]): boolean {
  const config = servers.find((server) => server.name === name)?.entry.config as { readonly enabled?: boolean }
  return config.enabled !== false
}

/** Returns the names of the servers that may be started. */
async function allowed(control: McpControl, names: readonly string[]): Promise<readonly string[]> {
  const waiting = (await control.status()).filter(
    ({ status }) => status === "awaiting_approval" || status === "disabled",
  )
  return names.filter((name) => !waiting.some((report) => report.name === name))
}

/** Returns the report of a server whose configuration is invalid. */
function unreadable({ name, entry }: ConfiguredServer, control: McpControl): ServerReport {
  const { type } = entry.config as { readonly type: "local" | "remote" }
  const error =
    control.problems().find((problem) => problem.startsWith(`mcp.${name}`)) ?? "It cannot be used as it is written."
  return { name, type, status: "failed", error, tools: 0, waiting: [] }
}

function factsOf({ report, target, source, isSignedIn }: ListedServer): object {
  const { pid: _, ...facts } = report
  return {
    ...facts,
    [report.type === "local" ? "command" : "url"]: target,
    source,
    ...(isSignedIn === undefined ? {} : { signedIn: isSignedIn }),
  }
}

export const command = defineCommand({
  usage: ["mcp list [options]", "mcp list [options] <name>"],
  notes: [
    "Connects to every server that is enabled and allowed, and reports its status. With a name, also lists the server's tools, " +
      "prompts and resources, as you write them in a prompt.",
  ],
  words: { min: 0, max: 1 },
  options: mcpListOptions,
  exitCodes: { 0: "listed, even if a server does not work" },
  examples: [
    ["pawl mcp list", "list all servers and their status"],
    ["pawl mcp list github", "list what one server provides"],
    ["pawl mcp list --offline --format json", "print JSON without starting a server"],
  ],
  run: mcpList,
})
