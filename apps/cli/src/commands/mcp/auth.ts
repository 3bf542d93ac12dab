import { type CommandInput, defineCommand } from "../../arguments/command.ts"
import { UsageError } from "../../arguments/usage-error.ts"
import { type ExitCode, exitCodes } from "../../exit-code.ts"
import type { Host } from "../../host.ts"
import { authorizable } from "../../mcp/listed-server.ts"
import { openBrowser } from "../../mcp/open-browser.ts"
import { findServer } from "@pawl/runtime/mcp/find-server"
import type { OpenedServers } from "@pawl/runtime/open-servers"
import { withServers } from "../../mcp/with-servers.ts"
import { plainLine } from "@pawl/plain-text"
import { ago } from "@pawl/terminal-text/quantity"
import { canAsk } from "../../session/confirm.ts"
import { directoryOptions, MISSING_SERVER } from "../../command-options.ts"

type Input = CommandInput<typeof directoryOptions>

/** Signs the user in to a remote server. */
function mcpAuth({ options, words }: Input, host: Host): Promise<ExitCode> {
  const { stdout, stderr } = host
  return withServers(options, host, async (opened, stop) => {
    const server = authorizable(findServer(opened, words[0]))
    await requireAllowed(opened, server.name)
    const { authorizer } = await opened.mcp()
    const state = await authorizer.authorize(server, {
      signal: stop.signal,
      show(address) {
        stderr.write(`To sign in to "${server.name}", open in a browser of this machine:\n${plainLine(address)}\n`)
      },
      ...(canAsk(host) ? { openBrowser } : {}),
    })
    const facts = [
      ...(state.scope === undefined ? [] : [`with the rights ${state.scope}`]),
      ...(state.issuer === undefined ? [] : [`by ${state.issuer}`]),
      ...(state.isRenewable ? ["renewed by itself"] : expiry(state.expires)),
    ]
    stdout.write(`${plainLine(`Signed in to "${server.name}"${facts.length === 0 ? "" : `: ${facts.join(", ")}`}.`)}\n`)
    return exitCodes.success
  })
}

/** Rejects with UsageError for a project's server that the user has not allowed: its sign-in page could be anything. */
async function requireAllowed(opened: OpenedServers, name: string): Promise<void> {
  const { control } = await opened.mcp()
  const report = (await control.status()).find((each) => each.name === name)
  if (report?.status !== "awaiting_approval") return
  throw new UsageError(`"${name}" comes with this project and is not allowed.`, `First: pawl mcp allow ${name}`)
}

function expiry(expires: number | undefined): readonly string[] {
  if (expires === undefined) return []
  const minutes = Math.round((expires - Date.now()) / 60_000)
  return minutes > 0 ? [`for ${minutes} min`] : [`ended ${ago(expires, Date.now())}`]
}

export const command = defineCommand({
  usage: ["mcp auth <name>"],
  notes: ["Opens the sign-in page of a remote server, and prints its URL for another browser on this machine."],
  words: { min: 1, max: 1, missing: MISSING_SERVER },
  options: directoryOptions,
  exitCodes: { 0: "signed in" },
  examples: [["pawl mcp auth tracker", "sign in, or sign in again with more rights"]],
  run: mcpAuth,
})
