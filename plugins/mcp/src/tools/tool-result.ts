import type { JSONObject, ToolResult } from "@pawl/core/tool"
import { McpServerError } from "../errors.ts"
import { readContent } from "./content.ts"

/** Maximum number of characters of structured content that is stored with a call. */
const MAX_STRUCTURED_LENGTH = 64 * 1024

/**
 * Converts a server's response to a tool result: texts joined by blank lines, or structured content if there is no
 * text. Throws if the server reports an error.
 */
export function toToolResult(server: string, tool: string, answer: Readonly<Record<string, unknown>>): ToolResult {
  const { content, structuredContent, isError, toolResult } = answer
  const { texts, files } = readContent(Array.isArray(content) ? (content as unknown[]) : [])
  // The first version of the protocol used `toolResult`.
  const structured = structuredContent ?? toolResult
  const said = texts.join("\n\n")
  const output = said === "" && structured !== undefined ? JSON.stringify(structured) : said
  if (isError === true) {
    throw new McpServerError(
      "refused",
      server,
      output || `The tool ${tool} of the MCP server "${server}" failed without saying why.`,
    )
  }
  const metadata: JSONObject = { server, tool, ...storable(structured) }
  return {
    title: `${server}: ${tool}`,
    output:
      output || (files.length > 0 ? `${files.length} file${files.length === 1 ? "" : "s"} attached.` : "(no output)"),
    metadata,
    ...(files.length > 0 ? { attachments: files } : {}),
  }
}

function storable(structured: unknown): JSONObject {
  if (structured === undefined || structured === null) return {}
  if (JSON.stringify(structured).length > MAX_STRUCTURED_LENGTH) return {}
  return { structuredContent: structured as JSONObject }
}
