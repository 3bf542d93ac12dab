import { join } from "node:path"
import { type CommandInput, defineCommand } from "../../arguments/command.ts"
import { UsageError } from "../../arguments/usage-error.ts"
import { type ExitCode, exitCodes } from "../../exit-code.ts"
import type { Host } from "../../host.ts"
import { configOf } from "../../mcp/listed-server.ts"
import { createTrialApprovals } from "@pawl/runtime/mcp/trial-approvals"
import { serverEntries } from "@pawl/runtime/mcp/open-mcp"
import { serverFacts, toolFacts } from "../../mcp/server-facts.ts"
import { findServer } from "@pawl/runtime/mcp/find-server"
import { withServers } from "../../mcp/with-servers.ts"
import { plainLine } from "@pawl/plain-text"
import { createTheme, wantsColour } from "@pawl/terminal-text/theme"
import { type Stop, stopCode, type StopReason } from "../../run/stop.ts"
import { canAsk, confirm } from "../../session/confirm.ts"
import { directoryOptions, MISSING_SERVER, yesOptions } from "../../command-options.ts"

const mcpAllowOptions = { ...yesOptions, ...directoryOptions } as const

/** Shows a server, starts it, shows its tools, and allows both. Only what was shown is allowed. */
function mcpAllow({ options, words }: CommandInput<typeof mcpAllowOptions>, host: Host): Promise<ExitCode> {
  const { stdout, stderr, environment, secrets } = host
  const layout = {
    columns: stdout.isTerminal ? stdout.columns : 160,
    theme: createTheme(wantsColour(environment, stdout.isTerminal)),
  }
  const print = (lines: readonly string[]) => stdout.write(`${secrets.mask(lines.join("\n"))}\n`)
  return withServers(options, host, async (opened, stop) => {
    const server = findServer(opened, words[0])
    const { name } = server
    const { directory, dataDirectory } = opened.settings
    const { createFileApprovals } = await import("@pawl/plugin-mcp")
    const approvals = createFileApprovals(join(dataDirectory, "mcp", "approvals.json"))
    const trial = createTrialApprovals(approvals)
    const { control } = await opened.mcp({ servers: serverEntries([server]), approvals: trial })
    const isKnown = (await control.status()).every(({ status }) => status !== "awaiting_approval")
    print(serverFacts(server, directory, layout))
    if (!isKnown && !options.yes) {
      requireSomebody(name, host)
      const question = configOf(server).type === "local" ? "Start it, to see its tools?" : "Ask it for its tools?"
      if (!(await confirm(question, { host, stop: stop }))) return refused(stop, host)
    }
    await control.allow(name, stop.signal)
    const tools = (await control.tools(name, stop.signal)).map(({ tool }) => tool)
    const seen = trial.seen()
    if (!seen) throw new Error(`The MCP server "${name}" returned nothing to review.`)
    const before = await approvals.tools(seen.server, seen.hash)
    const isHeld = (tool: string) => before !== undefined && before[tool] !== seen.tools?.[tool]
    print(["", ...toolFacts(tools, isHeld, layout)])
    if (isKnown && !tools.some((tool) => isHeld(tool.name))) {
      stdout.write(`${plainLine(`"${name}" is already allowed.`)}\n`)
      return exitCodes.success
    }
    if (!options.yes) {
      requireSomebody(name, host)
      if (!(await confirm("Allow it?", { host, stop: stop }))) return refused(stop, host)
    }
    await approvals.allow(seen.server, seen.hash, seen.tools)
    stderr.write(`${plainLine(`"${name}" is allowed until it changes.`)}\n`)
    return exitCodes.success
  })
}

function requireSomebody(name: string, host: Host): void {
  if (canAsk(host)) return
  throw new UsageError(
    `Confirmation needed to allow "${name}", but stdin is not a terminal.`,
    "Pass --yes to allow it.",
  )
}

function refused(stop: Stop, { stderr }: Pick<Host, "stderr">): ExitCode {
  stderr.write("It is not allowed.\n")
  return stop.signal.aborted ? stopCode(stop.signal.reason as StopReason) : exitCodes.failed
}

export const command = defineCommand({
  usage: ["mcp allow [options] <name>"],
  notes: [
    "Shows the command or URL of a server of this project, starts the server, shows its tools, and asks. Only what was shown is " +
      "allowed: pawl asks again about a changed command and about new or changed tools. Trust the project first.",
    "Your own servers are allowed. For them, this command allows tools that have changed.",
  ],
  words: { min: 1, max: 1, missing: MISSING_SERVER },
  options: mcpAllowOptions,
  exitCodes: { 0: "allowed", 1: "failed, or you declined" },
  examples: [
    ["pawl mcp allow tracker", "review the server, then decide"],
    ["pawl mcp allow --yes tracker", "allow it without asking, in a script"],
  ],
  run: mcpAllow,
})
