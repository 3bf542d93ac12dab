import type { FileContent, JSONObject, ToolResult } from "@pawl/core/tool"
import { isRecord } from "./input-schema.ts"

/** Converts a tool's return value: a string, `{title, output, metadata, attachments}`, or any value that JSON supports. */
export function toToolResult(value: unknown): ToolResult {
  if (value === undefined || value === null || value === "") return { title: "", output: "(no output)" }
  if (!isRecord(value)) return { title: "", output: textOf(value) }
  const { title, output, metadata, attachments } = value
  if (typeof output !== "string") return { title: "", output: textOf(value) }
  const json = isRecord(metadata) ? toJSON(metadata) : undefined
  const files = Array.isArray(attachments) ? attachments.flatMap(toFile) : []
  return {
    title: typeof title === "string" ? title : "",
    output,
    ...(json ? { metadata: json } : {}),
    ...(files.length > 0 ? { attachments: files } : {}),
  }
}

/** Undefined for what JSON cannot write. */
export function toJSON(value: Record<string, unknown>): JSONObject | undefined {
  try {
    return JSON.parse(JSON.stringify(value)) as JSONObject
  } catch {
    return undefined
  }
}

function toFile(value: unknown): FileContent[] {
  const { mime, url, filename } = isRecord(value) ? value : {}
  if (typeof mime !== "string" || typeof url !== "string" || !/^(?:data|https):/.test(url)) return []
  return [{ type: "file", mime, url, ...(typeof filename === "string" ? { filename } : {}) }]
}

function textOf(value: unknown): string {
  if (typeof value === "string") return value
  const written = JSON.stringify(value, undefined, 2) as string | undefined
  if (written === undefined) throw new TypeError(`The tool returned a ${typeof value}, which is not a valid output.`)
  return written
}
