import type { PluginCommand } from "@pawl/core/plugin"
import type { HostedServer } from "../server/hosted-server.ts"
import type { ListedPrompt } from "../listing/listing.ts"
import { promptArguments } from "./prompt-arguments.ts"
import { promptParts } from "./prompt-parts.ts"

/** Returns the servers' known prompts as commands named `server:prompt`. */
export async function pluginCommands(servers: readonly HostedServer[]): Promise<readonly PluginCommand[]> {
  const known = servers.map(async (server) => {
    const prompts = (await server.listing())?.prompts ?? []
    return prompts.map((prompt) => toCommand(server, prompt))
  })
  return (await Promise.all(known)).flat()
}

function toCommand(server: HostedServer, prompt: ListedPrompt): PluginCommand {
  const description = prompt.description ?? prompt.title
  return {
    name: `${server.name}:${prompt.name}`,
    ...(description === undefined ? {} : { description }),
    hints: (prompt.arguments ?? []).map(({ name }) => name),
    async expand(written, signal) {
      const args = promptArguments(prompt, written)
      return promptParts(await (await server.connect(signal)).getPrompt(prompt.name, args, signal))
    },
  }
}
