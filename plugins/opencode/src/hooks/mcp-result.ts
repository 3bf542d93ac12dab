import type { HookOutput } from "@pawl/core/plugin"

type Draft = HookOutput<"tool.execute.after">

/** A result of an MCP server's tool as OpenCode hands it to plugins, with what pawl has of every result besides. */
export interface McpResult extends Draft {
  content: unknown
}

/** Whether a call was one of an MCP server's tools: its result says so, and its name begins with the server's. */
export function isMcpResult(tool: string, { metadata }: Draft): boolean {
  const { server, tool: name } = metadata
  if (typeof server !== "string" || typeof name !== "string") return false
  return tool.startsWith(`${server.replaceAll(/[^A-Za-z0-9_-]/g, "_")}_`)
}

export function mcpResult(draft: Draft): McpResult {
  const files = (draft.attachments ?? []).flatMap(({ mime, url }) => {
    const data = /^data:[^,]*;base64,(.*)$/s.exec(url)?.[1]
    return data === undefined ? [] : [{ type: mime.startsWith("image/") ? "image" : "blob", mimeType: mime, data }]
  })
  return { ...draft, content: [{ type: "text", text: draft.output }, ...files] }
}

/** What a plugin has left: of the texts and the output the one that it changed. */
export function writtenMcpResult(before: Draft, { content, ...after }: McpResult): Draft {
  const said = Array.isArray(content) ? textOf(content) : before.output
  return { ...after, output: said === before.output ? after.output : said }
}

function textOf(content: readonly unknown[]): string {
  return content
    .flatMap((each) => {
      const isText = typeof each === "object" && each !== null && "text" in each && typeof each.text === "string"
      return isText ? [each.text] : []
    })
    .join("\n\n")
}
