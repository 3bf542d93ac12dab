import { z } from "zod"
import { PROVIDER_ERROR_KINDS } from "../../base/errors.ts"
import type { MessageID, PartID, SessionID } from "../../base/ids.ts"

// Fields that sessions, messages and parts share.

const id = <T extends string>(prefix: string) => z.templateLiteral([prefix, z.string()]) as unknown as z.ZodType<T, T>
export const sessionID = id<SessionID>("ses_")
export const messageID = id<MessageID>("msg_")
export const partID = id<PartID>("prt_")

/** Epoch milliseconds. */
export const milliseconds = z.number()
export const json = z.record(z.string(), z.unknown())
/** The first fields of every part. */
export const owner = { id: partID, sessionID, messageID }

export const modelRef = z.object({ providerID: z.string(), modelID: z.string() })

export const tokens = z.object({
  input: z.number(),
  output: z.number(),
  reasoning: z.number(),
  cache: z.object({ read: z.number(), write: z.number() }),
})

export const storedError = z.object({ name: z.string(), data: z.looseObject({ message: z.string() }) })

export const permissionRule = z.object({
  permission: z.string(),
  pattern: z.string(),
  action: z.enum(["allow", "ask", "deny"]),
})

export const fileDiff = z.object({
  file: z.string(),
  additions: z.number(),
  deletions: z.number(),
  patch: z.string().optional(),
  status: z.enum(["added", "deleted", "modified"]).optional(),
})

/** Kind of a provider's failure. */
export const providerErrorKind = z.enum(PROVIDER_ERROR_KINDS)

/** A piece of a text, with its position there. */
export const sourceText = z.object({ value: z.string(), start: z.number(), end: z.number() })
