import type { UndoReport } from "@pawl/core"
import { justAfter, type MessageID } from "@pawl/core/record"
import type { Storage } from "@pawl/core/storage"
import { plainLine } from "@pawl/plain-text"
import type { Host } from "../host.ts"

const MAX_LENGTH = 60

/** Returns a line that says what is undone now, with the beginning of the first undone prompt. */
export async function undoneHead(
  storage: Pick<Storage, "readMessages">,
  { session, undone }: Pick<UndoReport, "session" | "undone">,
  { secrets }: Pick<Host, "secrets">,
): Promise<string[]> {
  const point = undone.chat ?? undone.files
  if (!point) return ["Nothing is undone any more."]
  const what = undone.chat && undone.files ? "Messages and files are" : undone.chat ? "Messages are" : "Files are"
  for await (const { info, parts } of storage.readMessages(session.id, {
    before: justAfter(point.messageID as MessageID),
    limit: 1,
  })) {
    const text = parts.find((part) => part.type === "text" && !part.synthetic)
    if (info.id !== point.messageID || text?.type !== "text") break
    const line = plainLine(secrets.mask(text.text).trim().split("\n", 1)[0] ?? "")
    const shown = line.length > MAX_LENGTH ? `${line.slice(0, MAX_LENGTH - 1)}…` : line
    return [`${what} undone from here on: ${shown}`]
  }
  return [`${what} undone from ${point.messageID} on.`]
}
