import { isObject } from "../json.ts"
import { isText } from "./foreign.ts"
import type { OpenCodeReader, RawMessage, Report } from "./reader.ts"

export interface OpenCodeDocument {
  readonly info: Record<string, unknown> & { readonly id: string }
  readonly messages: readonly unknown[]
}

/** The output of `opencode export`: `{ info, messages: [{ info, parts }] }`. */
export function isOpenCodeDocument(value: unknown): value is OpenCodeDocument {
  if (!isObject(value) || value["format"] !== undefined || !Array.isArray(value["messages"])) return false
  return isObject(value["info"]) && isText(value["info"]["id"])
}

export function openDocumentReader({ info, messages }: OpenCodeDocument, report: Report): OpenCodeReader {
  const known = new Map<string, RawMessage & { readonly time: number }>()
  for (const [at, message] of messages.entries()) {
    if (!isObject(message) || !isObject(message["info"])) {
      report(`$.messages[${at}]`, "It is not a message and was left out.")
      continue
    }
    const { info, parts } = message
    const time = isObject(info["time"]) ? Number(info["time"]["created"]) : 0
    known.set(String(info["id"]), { info, parts: Array.isArray(parts) ? parts : [], time })
  }
  return {
    location: "the document",
    sessionIDs: async () => [info.id],
    session: async () => info,
    messageDirectories: async () => Array.from(known, ([id, { time }]) => ({ id, time })),
    message: async (_sessionID, id) => known.get(id),
    close: () => {},
  }
}
