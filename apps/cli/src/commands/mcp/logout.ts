import { type CommandInput, defineCommand } from "../../arguments/command.ts"
import { directoryOptions, MISSING_SERVER } from "../../command-options.ts"
import { type ExitCode, exitCodes } from "../../exit-code.ts"
import type { Host } from "../../host.ts"
import { authorizable } from "../../mcp/listed-server.ts"
import { findServer } from "@pawl/runtime/mcp/find-server"
import { withServers } from "../../mcp/with-servers.ts"

/** Removes the tokens of a remote server. */
function mcpLogout({ options, words }: CommandInput<typeof directoryOptions>, host: Host): Promise<ExitCode> {
  const { stdout, stderr } = host
  return withServers(options, host, async (opened) => {
    const server = authorizable(findServer(opened, words[0]))
    const { authorizer } = await opened.mcp()
    const { wasAuthorized, isRevoked } = await authorizer.logout(server)
    stdout.write(
      `${wasAuthorized ? `Signed out of "${server.name}".` : `You were not signed in to "${server.name}".`}\n`,
    )
    if (wasAuthorized && !isRevoked) {
      stderr.write("The tokens are removed here. The authorization server did not confirm that it revoked them.\n")
    }
    return exitCodes.success
  })
}

export const command = defineCommand({
  usage: ["mcp logout <name>"],
  notes: ["Removes the tokens of a remote server from this machine, and revokes them on the server's side."],
  words: { min: 1, max: 1, missing: MISSING_SERVER },
  options: directoryOptions,
  examples: [["pawl mcp logout tracker", "sign out of the server tracker"]],
  run: mcpLogout,
})
