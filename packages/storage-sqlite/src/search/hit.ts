import type { MessageID, PartID, SearchHit, SessionID } from "@pawl/core/storage"
import { fromColumn } from "../column.ts"
import type { RecordRow } from "../record.ts"

export interface HitRow extends RecordRow {
  readonly session_id: string
}

export function toSearchHit(row: HitRow, text: string): SearchHit {
  return {
    sessionID: fromColumn(row.session_id) as SessionID,
    messageID: fromColumn(row.message_id) as MessageID,
    partID: fromColumn(row.part_id) as PartID,
    text,
  }
}
