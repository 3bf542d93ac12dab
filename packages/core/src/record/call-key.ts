import type { ToolPart } from "./message.ts"

/** Names a call, the same way in each process that runs it. */
export function callKey({
  sessionID,
  messageID,
  callID,
}: Pick<ToolPart, "sessionID" | "messageID" | "callID">): string {
  return `${sessionID}/${messageID}/${callID}`
}
