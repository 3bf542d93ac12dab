import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { appendDurably } from "@pawl/files/durable-file"

/** A line of `trash/audit.jsonl`: an action on a removed session. Never rewritten. */
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
  /** Name of its document in the trash. Default: `<sessionID>.json`. */
  readonly file?: string
}

export async function writeAudit(trash: string, line: AuditLine): Promise<void> {
  await appendDurably(auditFile(trash), JSON.stringify(line))
}

/** Reads the lines, oldest first. Ignores lines that a crash has cut. */
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
