import { NotFoundError, QuestionClosedError, SessionBusyError } from "@pawl/core"
import { messageOf } from "@pawl/core/tool"
import { hasTaggedErrors, newerError } from "./newer-error.ts"
import {
  ForbiddenError,
  isInvalidRequest,
  RequestError,
  SignInError,
  TaggedError,
  TooLargeError,
} from "./request-error.ts"

/** Converts an error to OpenCode's form for the path: `{ name, data: { message } }`, or that of its newer interface. */
export function errorResponse(thrown: unknown, path = ""): Response {
  const error = hasTaggedErrors(path) ? newerError(thrown) : thrown
  const message = messageOf(error)
  if (error instanceof TaggedError) {
    const { name, status, fields } = error
    // As in all other answers, `name` and `data` are there, too.
    return Response.json({ _tag: name, ...fields, name, data: fields }, { status })
  }
  if (error instanceof SignInError) return failure(error.status, error.name, error.fields)
  if (error instanceof TooLargeError) return failure(413, "BadRequest", { message, kind: "Body" })
  if (error instanceof RequestError) return failure(400, error.name, { message, kind: error.kind })
  if (error instanceof ForbiddenError) return failure(403, error.name, { message })
  if (isInvalidRequest(error)) return failure(400, "BadRequest", { message })
  if (error instanceof NotFoundError || error instanceof QuestionClosedError) {
    return failure(404, "NotFoundError", { message })
  }
  if (error instanceof SessionBusyError) return failure(409, error.name, { message, sessionID: error.sessionID })
  return failure(500, "UnknownError", { message })
}

export function notOffered(method: string, path: string): Response {
  return failure(404, "NotFoundError", { message: `pawl's server does not offer ${method} ${path}.` })
}

export function failure(status: number, name: string, data: object): Response {
  return Response.json({ name, data }, { status })
}
