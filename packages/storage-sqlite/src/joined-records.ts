import type { MessageWithParts } from "@pawl/core/storage"
import { isMessage, isPart } from "./record-shape.ts"

/**
 * Reads a message and its parts from their JSON list. Undefined unless the list has `count` valid values, the message
 * first, then its parts by id. SQLite joins them in the order of the index, but does not guarantee it.
 */
export function parseJoined(records: string, count: number, messageID: string): MessageWithParts | undefined {
  try {
    const all = JSON.parse(records) as unknown[]
    const [info, parts] = [all[0], all.slice(1)]
    if (parts.length !== count - 1 || !isMessage(info, messageID)) return undefined
    let last = ""
    for (const part of parts) {
      if (!isPart(part, messageID) || part.id <= last) return undefined
      last = part.id
    }
    return { info, parts: parts as MessageWithParts["parts"] }
  } catch {
    return undefined
  }
}
