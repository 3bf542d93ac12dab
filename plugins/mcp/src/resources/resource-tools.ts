import { defineTool, type JSONObject, type Tool, ToolInputError } from "@pawl/core/tool"
import { z } from "zod"
import type { HostedServer } from "../server/hosted-server.ts"
import { readResourceContents } from "../tools/content.ts"

const listInput = z.object({ server: z.string().optional() })
const readInput = z.object({ server: z.string(), uri: z.string() })

/** Tools for the servers' resources. They are offered if a server has resources. */
export function resourceTools(servers: readonly HostedServer[]): readonly Tool[] {
  const names = servers.map(({ name }) => name)
  const serverSchema = { type: "string", enum: names, description: "The MCP server" }
  const chosen = (server: string | undefined) => {
    const found = servers.filter(({ name }) => server === undefined || name === server)
    if (found.length > 0) return found
    throw new ToolInputError(`There is no MCP server "${server}" with resources. Known: ${names.join(", ")}.`)
  }

  function listTool(
    name: string,
    what: string,
    list: (server: HostedServer, signal: AbortSignal) => Promise<readonly object[]>,
  ) {
    return defineTool<z.infer<typeof listInput>>({
      name,
      description: `Lists the ${what} that MCP servers offer, of one server or of all.`,
      inputSchema: { type: "object", properties: { server: serverSchema }, additionalProperties: false },
      effect: "pure",
      deferrable: true,
      permission: "read",
      parse: (input) => parsed(listInput, name, input),
      permissions: ({ server }) => chosen(server).map((one) => readNeed(one.name, "*")),
      async execute({ server }, { signal }) {
        const found = await Promise.all(
          chosen(server).map(async (one) => (await list(one, signal)).map((item) => ({ server: one.name, ...item }))),
        )
        const items = found.flat()
        return { title: `${items.length} ${what}`, output: JSON.stringify(items, undefined, 2) }
      },
    }) as Tool
  }

  const readTool = defineTool<z.infer<typeof readInput>>({
    name: "read_mcp_resource",
    description: "Reads a resource of an MCP server by its URI.",
    inputSchema: {
      type: "object",
      properties: { server: serverSchema, uri: { type: "string", description: "The resource's URI" } },
      required: ["server", "uri"],
      additionalProperties: false,
    },
    effect: "pure",
    deferrable: true,
    permission: "read",
    parse: (input) => parsed(readInput, "read_mcp_resource", input),
    permissions: ({ server, uri }) => [readNeed(server, uri)],
    async execute({ server, uri }, { signal }) {
      const [one] = chosen(server)
      const answer = await (await (one as HostedServer).connect(signal)).readResource(uri, signal)
      const { texts, files } = readResourceContents(contentsOf(answer))
      const metadata: JSONObject = { server, uri }
      const output = texts.join("\n\n") || (files.length > 0 ? "The resource is attached." : "(empty)")
      return { title: `${server}:${uri}`, output, metadata, ...(files.length > 0 ? { attachments: files } : {}) }
    },
  }) as Tool

  return [
    listTool("list_mcp_resources", "resources", (server, signal) => server.resources(signal)),
    listTool("list_mcp_resource_templates", "resource templates", (server, signal) => server.templates(signal)),
    readTool,
  ]
}

export const resourceToolNames = ["list_mcp_resources", "list_mcp_resource_templates", "read_mcp_resource"] as const

/** Returns the contents of a resource; empty if the response is invalid. */
export function contentsOf(answer: Readonly<Record<string, unknown>>): readonly unknown[] {
  return Array.isArray(answer["contents"]) ? (answer["contents"] as unknown[]) : []
}

function readNeed(server: string, uri: string) {
  return { permission: "read", patterns: [`mcp:${server}:${uri}`] }
}

function parsed<T>(schema: z.ZodType<T>, name: string, input: unknown): T {
  const read = schema.safeParse(input)
  if (read.success) return read.data
  throw new ToolInputError(`The ${name} tool was called with invalid arguments: ${z.prettifyError(read.error)}`)
}
