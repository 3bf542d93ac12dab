import { type CommandInput, defineCommand } from "../../arguments/command.ts"
import { type ExitCode, exitCodes } from "../../exit-code.ts"
import type { Host } from "../../host.ts"
import { debugLines, type DebugStep } from "../../mcp/debug-lines.ts"
import { configOf, listedServer } from "../../mcp/listed-server.ts"
import { serverEntries } from "@pawl/runtime/mcp/open-mcp"
import { serverFacts } from "../../mcp/server-facts.ts"
import { findServer } from "@pawl/runtime/mcp/find-server"
import { withServers } from "../../mcp/with-servers.ts"
import { createTheme, wantsColour } from "@pawl/terminal-text/theme"
import { formattedDirectoryOptions, MISSING_SERVER } from "../../command-options.ts"

/** Connects to a server step by step, up to the first failure. */
function mcpDebug({ options, words }: CommandInput<typeof formattedDirectoryOptions>, host: Host): Promise<ExitCode> {
  const { stdout, environment, secrets } = host
  return withServers(options, host, async (opened, stop) => {
    const server = findServer(opened, words[0])
    const { name } = server
    const { directory } = opened.settings
    const { signal } = stop
    const { control, authorizer } = await opened.mcp({ servers: serverEntries([server]) })
    const steps: DebugStep[] = []
    let failed = false
    async function step(what: string, work: () => Promise<string>): Promise<void> {
      if (failed) return
      const began = performance.now()
      try {
        steps.push({ what, found: await work(), took: performance.now() - began })
      } catch (error) {
        if (signal.aborted) throw error
        failed = true
        steps.push({
          what,
          error: (error as Error).message.replace(/ See: pawl mcp debug .*$/, ""),
          took: performance.now() - began,
        })
      }
    }
    const reportOf = async () => (await control.status()).find((each) => each.name === name)
    await step("configuration", async () => {
      const report = await reportOf()
      if (!report) throw new Error(control.problems().join(" "))
      if (report.status === "disabled") throw new Error(`It is disabled: mcp.${name}.enabled.`)
      return control.problems().join(" ") || "ok"
    })
    await step("approval", async () => {
      const report = await reportOf()
      if (report?.status === "awaiting_approval")
        throw new Error(
          `It is not allowed${report.reason === "changed" ? " since it changed" : ""}. Run: pawl mcp allow ${name}`,
        )
      return server.entry.scope === "project" ? "allowed" : "your own server: not needed"
    })
    if (configOf(server).type === "remote") {
      await step("sign-in", async () => {
        const { report, isSignedIn } = await listedServer(server, (await reportOf()) as never, {
          authorizer,
          directory,
        })
        return isSignedIn === undefined
          ? "switched off"
          : isSignedIn
            ? "signed in"
            : `not signed in${report.status === "needs_auth" ? ", and it is needed" : ""}`
      })
    }
    await step("connect", async () => {
      await control.connect(name, signal)
      const { serverName, status, handshake } = await control.debug(name)
      const protocol = handshake?.protocol === undefined ? "" : `, protocol ${handshake.protocol}`
      return `${serverName ?? "connected"}${protocol}, over ${status.transport ?? "?"}${status.pid === undefined ? "" : `, process ${status.pid}`}`
    })
    await step("capabilities", async () => {
      return (await control.debug(name)).handshake?.capabilities.join(", ") || "none"
    })
    await step("tools", async () => {
      const tools = await control.tools(name, signal)
      const { waiting } = (await reportOf()) ?? { waiting: [] }
      const held = waiting.length === 0 ? "" : `, held back: ${waiting.join(", ")}`
      return `${tools.length}${held}`
    })
    const found = await control.debug(name).catch(() => undefined)
    const facts = { name, steps, log: found?.log ?? "", logPath: found?.logPath }
    if (options.format === "json") stdout.write(`${secrets.mask(JSON.stringify(facts))}\n`)
    else {
      const layout = {
        columns: stdout.isTerminal ? stdout.columns : 160,
        theme: createTheme(wantsColour(environment, stdout.isTerminal)),
      }
      const lines = [...serverFacts(server, directory, layout), "", ...debugLines(facts, layout)]
      stdout.write(`${secrets.mask(lines.join("\n"))}\n`)
    }
    return failed ? exitCodes.failed : exitCodes.success
  })
}

export const command = defineCommand({
  usage: ["mcp debug [options] <name>"],
  notes: [
    "Connects to a server step by step, shows the time of each step, stops at the first failure, and shows the server's log.",
  ],
  words: { min: 1, max: 1, missing: MISSING_SERVER },
  options: formattedDirectoryOptions,
  exitCodes: { 0: "every step succeeded", 1: "a step failed" },
  examples: [["pawl mcp debug files", "find the step that fails"]],
  run: mcpDebug,
})
