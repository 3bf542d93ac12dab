import { NotFoundError } from "@pawl/core"
import { isSessionID, type SessionID } from "@pawl/core/record"
import type { Context } from "hono"
import { z } from "zod"
import { RequestError, type RequestPart, TooLargeError } from "./request-error.ts"

/** Maximum size of a body in bytes by default, enough for images in base64. */
const MAX_BODY_BYTES = 64 * 1024 * 1024

/**
 * Parses the body by the schema. A missing body counts as an empty object. Throws RequestError, and TooLargeError without
 * reading further.
 */
export async function readBody<S extends z.ZodType>(
  context: Context,
  schema: S,
  maxBytes = MAX_BODY_BYTES,
): Promise<z.infer<S>> {
  return fitting("Body", parsedJSON(await textOf(context.req.raw, maxBytes)), schema)
}

async function textOf({ body }: Request, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body ?? []) {
    length += chunk.byteLength
    if (length > maxBytes) throw new TooLargeError(maxBytes)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

export function readQuery<S extends z.ZodType>(context: Context, schema: S): z.infer<S> {
  return fitting("Query", context.req.query(), schema)
}

/** Throws RequestError if the id is invalid. */
export function sessionIDOf(context: Context, name = "sessionID"): SessionID {
  const id = context.req.param(name) ?? ""
  if (!isSessionID(id)) throw new RequestError("Params", `"${id}" is not a session id: it must begin with "ses_".`)
  return id
}

export function paramOf(context: Context, name: string): string {
  const value = context.req.param(name)
  if (value === undefined) throw new NotFoundError(`The path lacks "${name}".`)
  return value
}

function fitting<S extends z.ZodType>(kind: RequestPart, value: unknown, schema: S): z.infer<S> {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw new RequestError(kind, `The ${kind.toLowerCase()} does not fit: ${z.prettifyError(parsed.error)}`)
}

function parsedJSON(text: string): unknown {
  if (text.trim() === "") return {}
  try {
    return JSON.parse(text)
  } catch {
    throw new RequestError("Body", "The body is not valid JSON.")
  }
}
