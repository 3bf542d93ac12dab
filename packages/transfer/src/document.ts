import * as schemas from "@pawl/core/schemas"
import { z } from "zod"

export const FORMAT = "pawl-session"
export const VERSION = 1

export const messageEntry = z.object({ info: schemas.message, parts: z.array(schemas.part) })

export const sessionEntry = z.object({
  session: schemas.session,
  /** All messages, including those before the boundary; oldest first, parts by id. */
  messages: z.array(messageEntry),
  /** The `recordHash` of this entry, which detects manual changes. */
  hash: z.string().optional(),
})

export const blobEntry = z.object({
  /** Lower-case hex SHA-256 of the bytes. */
  id: z.string().regex(/^[0-9a-f]{64}$/),
  base64: z.string(),
})

const exportReport = z.object({
  sessions: z.number(),
  messages: z.number(),
  parts: z.number(),
  blobs: z.number(),
  /** Number of masked values and of unchecked blobs by kind. Missing if nothing was sanitized. */
  removed: z.record(z.string(), z.number()).optional(),
  /** Number of masked secrets by position (`msg_… tool bash`) and kind. */
  places: z.record(z.string(), z.record(z.string(), z.number())).optional(),
})

/** A JSON document with everything that is needed to continue a session in another storage. */
export const sessionDocument = z.object({
  format: z.literal(FORMAT),
  version: z.literal(VERSION),
  /** Set if secrets were masked; the level is that of `SanitizeOptions`. */
  masked: z.enum(["keys", "secrets", "content"]).optional(),
  /** The exported session first, each child after its parent. */
  sessions: z.array(sessionEntry).min(1),
  /** Blobs that records refer to, each once. */
  blobs: z.array(blobEntry),
  report: exportReport,
})

export type SessionDocument = z.infer<typeof sessionDocument>
export type SessionEntry = z.infer<typeof sessionEntry>
export type ExportReport = z.infer<typeof exportReport>
