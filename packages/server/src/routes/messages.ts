import { type MessageID, type MessageWithParts, NotFoundError } from "@pawl/core/storage"
import type { Hono } from "hono"
import { z } from "zod"
import type { AppContext } from "../app-context.ts"
import { cursorOf, readCursor } from "../message-cursor.ts"
import { findMessage } from "../find-message.ts"
import { paramOf, readQuery, sessionIDOf } from "../read-request.ts"
import { RequestError } from "../request-error.ts"
import { openCodeMessageWithParts } from "../shapes/message.ts"
import * as answers from "../openapi/answers.ts"
import type { Operations } from "../openapi/operation.ts"

const pageQuery = z.object({ limit: z.coerce.number().int().nonnegative().optional(), before: z.string().optional() })

export const messageOperations: Operations = {
  "GET /session/:sessionID/message": {
    id: "session.messages",
    summary: "Lists messages, oldest first; with a limit, the newest ones.",
    query: pageQuery,
    answer: z.array(answers.messageWithParts),
  },
  "GET /session/:sessionID/message/:messageID": {
    id: "session.message",
    summary: "Returns a message.",
    answer: answers.messageWithParts,
  },
}

export function addMessageRoutes(app: Hono, { host: { engine }, events }: AppContext): void {
  // A text that is being written is stored now and then. A client adds the deltas that follow to what was sent of it.
  const asSent = (message: MessageWithParts) => {
    const { info, parts } = openCodeMessageWithParts(message)
    const open = new Map(events.log.openParts.ofMessage(info.id).map((part) => [part.id, part]))
    const known = parts.map((part) => open.get(part.id) ?? part)
    for (const { id } of parts) open.delete(id)
    return { info, parts: [...known, ...open.values()] }
  }
  // Returns the newest page, oldest message first. Headers point to the next page if there are older messages.
  app.get("/session/:sessionID/message", async (context) => {
    const sessionID = sessionIDOf(context)
    const { limit, before } = readQuery(context, pageQuery)
    if (before !== undefined && !limit) throw new RequestError("Query", '"before" needs a "limit".')
    await engine.getSession(sessionID)
    const page: MessageWithParts[] = []
    const query = {
      ...(before === undefined ? {} : { before: readCursor(before) }),
      ...(limit ? { limit: limit + 1 } : {}),
    }
    for await (const message of engine.readMessages(sessionID, query)) page.push(message)
    const shown = limit ? page.slice(0, limit) : page
    const oldest = shown.at(-1)
    if (oldest && page.length > shown.length) {
      const cursor = cursorOf(oldest.info)
      const next = new URL(context.req.url)
      next.searchParams.set("before", cursor)
      context.header("X-Next-Cursor", cursor)
      context.header("Link", `<${next.href}>; rel="next"`)
      context.header("Access-Control-Expose-Headers", "X-Next-Cursor, Link")
    }
    return context.json(shown.toReversed().map((message) => asSent(message)))
  })
  app.get("/session/:sessionID/message/:messageID", async (context) => {
    const sessionID = sessionIDOf(context)
    const messageID = paramOf(context, "messageID")
    const found = await findMessage(engine, sessionID, messageID as MessageID)
    if (!found) throw new NotFoundError(`Session ${sessionID} has no message ${messageID}.`)
    return context.json(asSent(found))
  })
}
