import { randomUUID } from "node:crypto"

/** The environment variable that tells whose a process is, whatever session or group it has moved to. */
export const MARK = "PAWL_MCP_OWNER"

/** One owner's mark. Of one server: `owner:number`. */
export function createMark(): string {
  return randomUUID()
}
