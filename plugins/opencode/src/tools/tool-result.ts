import type { FileContent, JSONObject, ToolResult } from "@pawl/core/tool"
import type { Progress } from "./progress.ts"

/** Converts a tool's return value: a text, or an object with a text. The model reads any other value as JSON. */
export function toolResult(returned: unknown, progress: Progress): ToolResult {
  const { title, output, metadata, attachments } =
    isFields(returned) && "output" in returned ? returned : { output: returned }
  const reported = isFields(metadata) ? (metadata as JSONObject) : progress.metadata
  const files = Array.isArray(attachments) ? attachments.filter(isFile).map((file) => fileOf(file)) : []
  return {
    title: typeof title === "string" ? title : (progress.title ?? ""),
    output: textOf(output),
    ...(reported ? { metadata: reported } : {}),
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
