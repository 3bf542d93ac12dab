import type { Session } from "@pawl/core"
import { z } from "zod"
import { TaggedError } from "./request-error.ts"

export const sessionFilter = z.object({
  directory: z.string().optional(),
  project: z.string().optional(),
  /** Path of the session's directory in its project. */
  subpath: z.string().optional(),
  workspace: z.string().optional(),
  search: z.string().optional(),
  order: z.enum(["asc", "desc"]).optional(),
})
export type SessionFilter = z.infer<typeof sessionFilter>

const cursor = sessionFilter.extend({
  anchor: z.object({ id: z.string(), time: z.number(), direction: z.enum(["previous", "next"]) }),
})

/** A place in a filtered list of sessions. */
export type SessionCursor = z.infer<typeof cursor>

export function writeCursor(
  filter: SessionFilter,
  direction: SessionCursor["anchor"]["direction"],
  { id, time }: Pick<Session, "id" | "time">,
): string {
  const place: SessionCursor = { ...filter, anchor: { id, time: time.created, direction } }
  return Buffer.from(JSON.stringify(place)).toString("base64url")
}

export function readSessionCursor(text: string): SessionCursor {
  try {
    return cursor.parse(JSON.parse(Buffer.from(text, "base64url").toString()))
  } catch {
    throw new TaggedError(400, "InvalidCursorError", {
      message: '"cursor" is not valid: use a value of "cursor" in an earlier answer.',
    })
  }
}
