import { type Engine, NotFoundError, type Session } from "@pawl/core"
import { messageOf } from "@pawl/core/tool"
import type { Context } from "hono"
import { sessionIDOf } from "./read-request.ts"
import { isInvalidRequest, NotCompactedError, RequestError, TaggedError } from "./request-error.ts"

/** Rejects with the newer interface's error if the request is invalid, or nothing was compacted. */
export async function tagged<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof NotCompactedError) {
      throw new TaggedError(503, "ServiceUnavailableError", { message: error.message })
    }
    if (!isInvalidRequest(error)) throw error
    const kind = error instanceof RequestError ? error.kind : "Body"
    throw new TaggedError(400, "InvalidRequestError", { message: messageOf(error), kind })
  }
}

/** Returns the session that the path names. Rejects with the newer interface's errors. */
export async function sessionOf(context: Context, engine: Pick<Engine, "getSession">): Promise<Session> {
  const sessionID = await tagged(() => sessionIDOf(context))
  try {
    return await engine.getSession(sessionID)
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error
    throw new TaggedError(404, "SessionNotFoundError", { message: error.message, sessionID })
  }
}
