import type { PluginResource, PluginResources } from "@pawl/core/plugin"
import type { HostedServer } from "../server/hosted-server.ts"
import { contentParts } from "../prompts/prompt-parts.ts"
import { readResourceContents } from "../tools/content.ts"
import { resourceName, splitResourceName } from "./resource-uri.ts"
import { contentsOf } from "./resource-tools.ts"

/** Resources that a prompt can name as `@server:uri`. A server that fails to list its resources has none. */
export function pluginResources(servers: () => readonly HostedServer[]): PluginResources {
  return {
    async list(signal) {
      const lists = servers().map(async (server): Promise<PluginResource[]> => {
        const known = await server.listing()
        if (known && !known.hasResources) return []
        const found = await server.resources(signal).catch(() => [])
        signal.throwIfAborted()
        return found.map(({ uri, name, title, description, mimeType }) => ({
          uri: resourceName(server.name, uri),
          name: name || title || uri,
          ...(description === undefined ? {} : { description }),
          ...(mimeType === undefined ? {} : { mime: mimeType }),
        }))
      })
      return (await Promise.all(lists)).flat()
    },
    async read(name, signal) {
      const all = servers()
      const found = splitResourceName(
        name,
        all.map((server) => server.name),
      )
      const server = all.find((one) => one.name === found?.server)
      if (!found || !server) {
        throw new Error(
          `"${name}" names no resource: write server:uri. Servers: ${all.map((one) => one.name).join(", ")}.`,
        )
      }
      const answer = await (await server.connect(signal)).readResource(found.uri, signal)
      return contentParts(readResourceContents(contentsOf(answer)))
    },
  }
}
