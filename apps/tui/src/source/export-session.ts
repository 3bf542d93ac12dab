import { existsSync } from "node:fs"
import { basename, dirname } from "node:path"
import type { MessageWithParts, SessionID } from "@pawl/core/record"
import type { Storage } from "@pawl/core/storage"
import { type TextSink, writeDurably } from "@pawl/files/durable-file"
import { plainLine } from "@pawl/plain-text"
import { createTheme } from "@pawl/terminal-text/theme"
import { toolLines } from "@pawl/terminal-text/tool-lines"
import { writeSession } from "@pawl/transfer"

export interface ExportRequest {
  readonly storage: Storage
  readonly id: SessionID
  /** Absolute path. */
  readonly file: string
  readonly mask: (text: string) => string
}

/** Writes the document of a session as `pawl session export` does, or its transcript as Markdown. */
export async function exportSession({ storage, id, file, mask }: ExportRequest): Promise<void> {
  if (existsSync(file)) throw new Error(`${file} exists already: choose another name, or remove it first.`)
  const directory = dirname(file)
  if (!existsSync(directory)) throw new Error(`There is no directory ${directory} to write ${basename(file)} into.`)
  if (file.endsWith(".json")) {
    const sanitize = { level: "keys", mask } as const
    await writeDurably(file, (write) => writeSession(storage, id, write, { sanitize }))
    return
  }
  await writeDurably(file, (write) => writeMarkdown({ storage, id, file, mask }, write))
}

async function writeMarkdown({ storage, id, mask }: ExportRequest, write: TextSink): Promise<void> {
  const session = await storage.getSession(id)
  const newest: MessageWithParts[] = []
  for await (const message of storage.readMessages(id)) newest.push(message)
  await write(`# ${plainLine(session?.title ?? id)}\n`)
  for (const message of newest.toReversed()) await write(mask(markdownOf(message, session?.directory ?? "")))
}

function markdownOf(message: MessageWithParts, directory: string): string {
  const layout = { columns: 200, theme: createTheme(false), directory }
  const parts = message.parts.flatMap((part) => {
    if (part.type === "text" && !part.synthetic && part.text !== "") return [`\n${part.text.trimEnd()}\n`]
    if (part.type !== "tool") return []
    return [`\n${fenced(toolLines(part, layout).join("\n"))}\n`]
  })
  if (parts.length === 0) return ""
  return `${message.info.role === "user" ? "\n## Prompt\n" : ""}${parts.join("")}`
}

/** A fence that is longer than those in the text. */
function fenced(text: string): string {
  const longest = (text.match(/`{3,}/g) ?? []).reduce((most, each) => Math.max(most, each.length), 2)
  const fence = "`".repeat(longest + 1)
  return `${fence}text\n${text}\n${fence}`
}
