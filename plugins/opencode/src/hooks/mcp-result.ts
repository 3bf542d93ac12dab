import type { HookOutput } from "@pawl/core/plugin"

type Draft = HookOutput<"tool.execute.after">

/** A result of an MCP tool in OpenCode's form, with the fields that all results of pawl have. */
export interface McpResult extends Draft {
  content: unknown
}

/**
 * Returns true if the call was of an MCP tool: its metadata names the server, and the tool's name begins with the
 * server's.
 */
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

/**
 * Returns a plugin's changed result. If it changed `content`, its texts become the output, otherwise `output` is used.
 */
export function writtenMcpResult(before: Draft, { content, ...after }: McpResult): Draft {
  const contentText = Array.isArray(content) ? textOf(content) : before.output
  return { ...after, output: contentText === before.output ? after.output : contentText }
}

function textOf(content: readonly unknown[]): string {
  return content
    .flatMap((each) => {
      const isText = typeof each === "object" && each !== null && "text" in each && typeof each.text === "string"
      return isText ? [each.text] : []
    })
    .join("\n\n")
}
