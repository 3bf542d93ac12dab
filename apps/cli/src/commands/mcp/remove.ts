import { join } from "node:path"
import { type CommandInput, defineCommand } from "../../arguments/command.ts"
import { UsageError } from "../../arguments/usage-error.ts"
import { exitCodes, type ExitCode } from "../../exit-code.ts"
import type { Host } from "../../host.ts"
import { removeServer } from "@pawl/runtime/mcp/server-file"
import { authorizable, configOf } from "../../mcp/listed-server.ts"
import { findServer } from "@pawl/runtime/mcp/find-server"
import { approvalDirectory } from "@pawl/runtime/mcp/open-mcp"
import { withServers } from "../../mcp/with-servers.ts"
import { plainLine } from "@pawl/plain-text"
import { directoryOptions, MISSING_SERVER } from "../../command-options.ts"

function mcpRemove({ options, words }: CommandInput<typeof directoryOptions>, host: Host): Promise<ExitCode> {
  return withServers({ ...options, offline: true }, host, async (opened) => {
    const server = findServer(opened, words[0])
    const { name, source, entry } = server
    if (!source.startsWith("/") || !(await removeServer(source, name))) {
      throw new UsageError(`"${name}" is not defined in a file, but in ${source}.`, "Remove it there.")
    }
    const { dataDirectory } = opened.settings
    const { createFileApprovals } = await import("@pawl/plugin-mcp")
    const approvals = createFileApprovals(join(dataDirectory, "mcp", "approvals.json"))
    await approvals.forget({ name, scope: entry.scope, directory: approvalDirectory(opened.settings) })
    const { authorizer } = await opened.mcp()
    const signedOut = configOf(server).type === "remote" ? await authorizer.logout(authorizable(server)) : undefined
    const tokens = signedOut?.wasAuthorized ? " Its tokens are removed as well." : ""
    host.stdout.write(`${plainLine(`Removed "${name}" from ${source}.`)}${tokens}\n`)
    return exitCodes.success
  })
}

export const command = defineCommand({
  usage: ["mcp remove <name>"],
  notes: ["Removes the server from its file and keeps the comments. Also removes its approvals and its tokens."],
  words: { min: 1, max: 1, missing: MISSING_SERVER },
  options: directoryOptions,
  examples: [["pawl mcp remove files", "remove the server files"]],
  run: mcpRemove,
})
