import * as schemas from "@pawl/core/schemas"
import { z } from "zod"

export const FORMAT = "pawl-session"
export const VERSION = 1

export const messageEntry = z.object({ info: schemas.message, parts: z.array(schemas.part) })

export const sessionEntry = z.object({
  session: schemas.session,
  /** Oldest first, parts by id: all of them, also those before the boundary. */
  messages: z.array(messageEntry),
  /** The `recordHash` of what stands here, so that a change by hand is noticed. */
  hash: z.string().optional(),
})

export const blobEntry = z.object({
  /** The lower-case SHA-256 of the bytes, in hex. */
  id: z.string().regex(/^[0-9a-f]{64}$/),
  base64: z.string(),
})

const exportReport = z.object({
  sessions: z.number(),
  messages: z.number(),
  parts: z.number(),
  blobs: z.number(),
  /** What sanitizing removed, or could not look into, by kind; absent without sanitizing. */
  removed: z.record(z.string(), z.number()).optional(),
  /** Where secrets were removed (`msg_… tool bash`): how often, by kind. */
  places: z.record(z.string(), z.record(z.string(), z.number())).optional(),
})

/** One JSON document with all that is needed to go on elsewhere. */
export const sessionDocument = z.object({
  format: z.literal(FORMAT),
  version: z.literal(VERSION),
  /** Set where secrets were masked, as a level of `SanitizeOptions` says: not all is as it was stored. */
  masked: z.enum(["keys", "secrets", "content"]).optional(),
  /** The exported session first, each behind its parent. */
  sessions: z.array(sessionEntry).min(1),
  /** Those that a record refers to, each once. */
  blobs: z.array(blobEntry),
  report: exportReport,
})

export type SessionDocument = z.infer<typeof sessionDocument>
export type SessionEntry = z.infer<typeof sessionEntry>
export type ExportReport = z.infer<typeof exportReport>
