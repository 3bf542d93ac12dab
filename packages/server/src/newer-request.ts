import { type Engine, NotFoundError, type Session } from "@pawl/core"
import type { Context } from "hono"
import { sessionIDOf } from "./read-request.ts"
import { TaggedError } from "./request-error.ts"

/** Returns the session that the path names. Rejects with the newer interface's error if there is no such session. */
export async function sessionOf(context: Context, engine: Pick<Engine, "getSession">): Promise<Session> {
  const sessionID = sessionIDOf(context)
  try {
    return await engine.getSession(sessionID)
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error
    throw new TaggedError(404, "SessionNotFoundError", { message: error.message, sessionID })
  }
}
