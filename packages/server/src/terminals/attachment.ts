import type { WebSocket } from "ws"
import { errorResponse, failure, notOffered } from "../error-response.ts"
import { RequestError } from "../request-error.ts"
import type { TerminalSpace } from "./terminals.ts"

const NO_CREDENTIAL =
  "Send the token of this server: Authorization: Bearer <token>, or Basic with the token as password. A browser sends ?ticket=, from POST /pty/:ptyID/connect-token."

/** Connects an open socket to its terminal. */
export type Attach = (socket: WebSocket) => void

/** Answers a request for a socket: with the terminal that its path names, or with a refusal. */
export function attachment(
  request: Request,
  { isAuthorized }: { readonly isAuthorized: boolean },
  { all, tickets, limits }: TerminalSpace,
): Response | Attach {
  const { pathname, searchParams } = new URL(request.url)
  const [, id = ""] = /^(?:\/api)?\/pty\/([^/]+)\/connect$/.exec(pathname) ?? []
  if (id === "") return notOffered("a WebSocket at", pathname)
  const ticket = searchParams.get("ticket")
  if (ticket !== null && !tickets.consume(ticket, id)) {
    return failure(403, "Forbidden", {
      message: `The ticket is not valid: each can be used once, for its terminal, within ${limits.ticketMs / 1000} seconds. Get another one: POST /pty/${id}/connect-token.`,
    })
  }
  if (ticket === null && !isAuthorized) return failure(401, "Unauthorized", { message: NO_CREDENTIAL })
  const terminal = all.get(id)
  if (!terminal) return failure(404, "NotFoundError", { message: `There is no terminal "${id}".` })
  if (terminal.clientCount() >= limits.clients) {
    return errorResponse(new RequestError("Params", `The terminal already has ${limits.clients} clients.`))
  }
  const cursor = cursorOf(searchParams.get("cursor"))
  if (cursor === undefined) {
    return errorResponse(new RequestError("Query", "The cursor is a position of the output, or -1 for its end."))
  }
  return (socket) => terminal.attach(socket, cursor)
}

function cursorOf(text: string | null): number | undefined {
  if (text === null || text === "") return 0
  return /^(?:-1|\d{1,15})$/.test(text) ? Number(text) : undefined
}
