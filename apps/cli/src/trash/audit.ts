import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { appendDurably } from "../files/durable-file.ts"

/** One line of `trash/audit.jsonl`: what was done with a removed session. Never rewritten. */
export interface AuditLine {
  /** ISO 8601, UTC. */
  readonly time: string
  readonly action: "remove" | "restore" | "purge"
  readonly sessionID: string
  readonly title: string
  readonly directory: string
  /** With those below it. */
  readonly sessions: number
  /** The storage, without passwords. */
  readonly storage: string
  /** The name of its document in the trash. Absent: `<sessionID>.json`. */
  readonly file?: string
}

export async function writeAudit(trash: string, line: AuditLine): Promise<void> {
  await appendDurably(auditFile(trash), JSON.stringify(line))
}

/** Oldest first. Lines that a crash has cut are passed over. */
export async function readAudit(trash: string): Promise<AuditLine[]> {
  const text = await readFile(auditFile(trash), "utf8").catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return ""
    throw error
  })
  return text.split("\n").flatMap((line) => {
    try {
      return [JSON.parse(line) as AuditLine]
    } catch {
      return []
    }
  })
}

function auditFile(trash: string): string {
  return join(trash, "audit.jsonl")
}
