import type { StorageProblem } from "@pawl/core/storage"
import { fromColumn } from "./column.ts"

interface Named {
  readonly key: number
  readonly message_id: string
  readonly part_id: string
  /** Id for the record of the session itself, if it is known. */
  readonly sessionID?: string | undefined
}

const NEXT = "`pawl storage rebuild` sets it aside."

export function damagedRecord(path: string, row: Named, reason: string): StorageProblem {
  const subject = nameOf(row)
  return { kind: "damaged", subject, message: `${subject} in ${path} (row ${row.key}) ${reason}. ${NEXT}` }
}

export function missingMessageOf(path: string, row: Named): StorageProblem {
  const [subject, messageID] = [nameOf(row), fromColumn(row.message_id)]
  const reason = `is a part of message ${messageID}, which is not there`
  return { kind: "reference", subject, message: `${subject} in ${path} (row ${row.key}) ${reason}. ${NEXT}` }
}

/** `what`: the beginning of a sentence. */
export function derivedProblem(subject: string, what: string): StorageProblem {
  const message = `${what} does not agree with the records. Run \`pawl storage rebuild\`.`
  return { kind: "derived", subject, message }
}

function nameOf({ message_id, part_id, sessionID = "session" }: Named): string {
  return fromColumn(part_id || message_id) || sessionID
}
