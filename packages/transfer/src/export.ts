import type { SessionID } from "@pawl/core/storage"
import { type ExportReport, FORMAT, type SessionDocument, type SessionEntry, VERSION } from "./document.ts"
import { documentPieces, type ExportedStorage, type ExportOptions } from "./document-pieces.ts"

/** Takes the next piece of text. The next call follows when the returned promise has resolved. */
export type TextSink = (text: string) => unknown

/** Characters of base64 per piece; a multiple of 4. */
const BASE64_PIECE = 64 * 1024

/** Exports a session as one value. Use `writeSession` if it may not fit into memory twice. */
export async function exportSession(
  storage: ExportedStorage,
  id: SessionID,
  options: ExportOptions = {},
): Promise<SessionDocument> {
  const sessions: SessionEntry[] = []
  const blobs: SessionDocument["blobs"] = []
  let report: ExportReport = { sessions: 0, messages: 0, parts: 0, blobs: 0 }
  for await (const piece of documentPieces(storage, id, options)) {
    const entry = sessions.at(-1)
    if (piece.type === "session") sessions.push({ session: piece.session, messages: [] })
    if (piece.type === "message") entry?.messages.push({ info: piece.message.info, parts: [...piece.message.parts] })
    if (piece.type === "session-end" && entry) entry.hash = piece.hash
    if (piece.type === "blob") blobs.push({ id: piece.id, base64: Buffer.from(piece.bytes).toString("base64") })
    if (piece.type === "end") report = piece.report
  }
  return { ...headOf(options), sessions, blobs, report }
}

/**
 * Writes the same document as text in pieces, with one page of messages or one blob in memory. If the sink rejects, the
 * export ends. The text is complete when this resolves.
 */
export async function writeSession(
  storage: ExportedStorage,
  id: SessionID,
  sink: TextSink,
  options: ExportOptions = {},
): Promise<ExportReport> {
  let before: string | undefined
  let report: ExportReport | undefined
  /** Returns the separator between a piece and the one before it. */
  const after = (same: string, other: string) => (before === same ? ",\n" : other)
  for await (const piece of documentPieces(storage, id, options)) {
    switch (piece.type) {
      case "session": {
        const start = `${JSON.stringify(headOf(options)).slice(0, -1)},"sessions":[\n`
        await sink(`${after("session-end", start)}{"session":${JSON.stringify(piece.session)},"messages":[\n`)
        break
      }
      case "message":
        await sink(`${after("message", "")}${JSON.stringify(piece.message)}`)
        break
      case "session-end":
        await sink(`\n],"hash":${JSON.stringify(piece.hash)}}`)
        break
      case "blob":
        await sink(`${after("blob", '\n],"blobs":[\n')}{"id":${JSON.stringify(piece.id)},"base64":"`)
        await writeBase64(piece.bytes, sink)
        await sink('"}')
        break
      case "end":
        await sink(`${before === "blob" ? "\n]" : '\n],"blobs":[]'},"report":${JSON.stringify(piece.report)}}\n`)
        report = piece.report
    }
    before = piece.type
  }
  if (!report) throw new Error("The export ended before its report.")
  return report
}

function headOf({ sanitize }: ExportOptions) {
  return { format: FORMAT, version: VERSION, ...(sanitize ? { masked: sanitize.level } : {}) } as const
}

async function writeBase64(bytes: Uint8Array, sink: TextSink): Promise<void> {
  const step = (BASE64_PIECE / 4) * 3
  for (let start = 0; start < bytes.length; start += step) {
    await sink(Buffer.from(bytes.subarray(start, start + step)).toString("base64"))
  }
}
