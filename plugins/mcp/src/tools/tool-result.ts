import type { JSONObject, ToolResult } from "@pawl/core/tool"
import { McpServerError } from "../errors.ts"
import { readContent } from "./content.ts"

/** Characters of structured content that are stored with a call. */
const MOST_STRUCTURED = 64 * 1024

/**
 * A server's answer as a tool's result: texts joined by blank lines; structured content where there are none. Throws what
 * a server reports as an error.
 */
export function toToolResult(server: string, tool: string, answer: Readonly<Record<string, unknown>>): ToolResult {
  const { content, structuredContent, isError, toolResult } = answer
  const { texts, files } = readContent(Array.isArray(content) ? (content as unknown[]) : [])
  // `toolResult` is how the first version of the protocol answered.
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
  if (JSON.stringify(structured).length > MOST_STRUCTURED) return {}
  return { structuredContent: structured as JSONObject }
}
