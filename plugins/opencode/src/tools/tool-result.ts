import type { FileContent, JSONObject, ToolResult } from "@pawl/core/tool"
import type { Progress } from "./progress.ts"

/** What a tool of OpenCode has returned: a text, or an object with one. Whatever it is, the model gets to read it. */
export function toolResult(given: unknown, progress: Progress): ToolResult {
  const { title, output, metadata, attachments } = isFields(given) && "output" in given ? given : { output: given }
  const told = isFields(metadata) ? (metadata as JSONObject) : progress.metadata
  const files = Array.isArray(attachments) ? attachments.filter(isFile).map((file) => fileOf(file)) : []
  return {
    title: typeof title === "string" ? title : (progress.title ?? ""),
    output: textOf(output),
    ...(told ? { metadata: told } : {}),
    ...(files.length > 0 ? { attachments: files } : {}),
  }
}

type Fields = Readonly<Record<string, unknown>>

function textOf(output: unknown): string {
  if (typeof output === "string") return output
  return output === undefined || output === null ? "" : JSON.stringify(output)
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

function isFile(value: unknown): value is FileContent {
  return isFields(value) && typeof value["mime"] === "string" && typeof value["url"] === "string"
}

function fileOf({ mime, url, filename }: FileContent): FileContent {
  return { type: "file", mime, url, ...(filename === undefined ? {} : { filename }) }
}
