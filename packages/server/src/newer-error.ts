import { NotFoundError, SessionBusyError } from "@pawl/core"
import { messageOf } from "@pawl/core/tool"
import { isInvalidRequest, NotCompactedError, RequestError, TaggedError, TooLargeError } from "./request-error.ts"

/** Returns true for routes whose errors have the form of OpenCode's newer interface. */
export function hasTaggedErrors(path: string): boolean {
  return path === "/api/session" || path.startsWith("/api/session/")
}

/** Converts an error to one of OpenCode's newer interface. */
export function newerError(error: unknown): TaggedError {
  if (error instanceof TaggedError) return error
  const message = messageOf(error)
  if (error instanceof TooLargeError) return new TaggedError(413, "InvalidRequestError", { message, kind: "Body" })
  if (error instanceof SessionBusyError) {
    return new TaggedError(409, error.name, { message, sessionID: error.sessionID })
  }
  if (error instanceof NotCompactedError) return new TaggedError(503, "ServiceUnavailableError", { message })
  // The routes convert the errors about what a path names. The body can name an agent or a model that is unknown.
  if (isInvalidRequest(error) || error instanceof NotFoundError) {
    const kind = error instanceof RequestError ? error.kind : "Body"
    return new TaggedError(400, "InvalidRequestError", { message, kind })
  }
  return new TaggedError(500, "UnknownError", { message })
}
