import { NotFoundError } from "@pawl/core"
import type { MessageID } from "@pawl/core/record"
import type { Hono } from "hono"
import { z } from "zod"
import type { AppContext } from "../app-context.ts"
import { findMessage } from "../find-message.ts"
import { isMessageID } from "../message-cursor.ts"
import { readContext, readMessageCursor, readMessagePage, withMarker } from "../newer-messages.ts"
import { sessionOf } from "../newer-request.ts"
import * as answers from "../openapi/answers.ts"
import type { Operations } from "../openapi/operation.ts"
import { paramOf, readBody, readQuery } from "../read-request.ts"
import { RequestError, TaggedError } from "../request-error.ts"
import { isCompactionMarker } from "../shapes/newer-message.ts"

const MAX_PAGE = 500

const pageQuery = z.object({
  limit: z.coerce.number().int().positive().max(MAX_PAGE).default(50),
  order: z.enum(["asc", "desc"]).optional(),
  /** Instead of `order`. */
  cursor: z.string().optional(),
})
const stageBody = z.object({
  messageID: z.templateLiteral(["msg_", z.string()]),
  /** Undoes changes of files, too. */
  files: z.boolean().default(false),
})

export const apiMessageOperations: Operations = {
  "GET /api/session/:sessionID/message": {
    id: "v2.session.messages",
    summary: "Lists messages, newest first, page by page.",
    query: pageQuery,
    answer: z.object({
      data: z.array(answers.newerMessage),
      cursor: z.object({ previous: z.string().optional(), next: z.string().optional() }),
    }),
  },
  "GET /api/session/:sessionID/message/:messageID": {
    id: "v2.session.message",
    summary: "Returns a message.",
    answer: z.object({ data: answers.newerMessage }),
  },
  "GET /api/session/:sessionID/context": {
    id: "v2.session.context",
    summary: "Lists the messages that the next request would contain, in its order.",
    answer: z.object({ data: z.array(answers.newerMessage) }),
  },
  "POST /api/session/:sessionID/revert/stage": {
    id: "v2.session.revert.stage",
    summary: "Undoes a message and what follows it. The next prompt makes it final.",
    body: stageBody,
    answer: z.object({ data: answers.newerRevert }),
  },
  "POST /api/session/:sessionID/revert/clear": { id: "v2.session.revert.clear", summary: "Takes all undos back." },
}

/** Messages of sessions in OpenCode's newer interface, and their undo. */
export function addAPIMessageRoutes(app: Hono, { host: { engine } }: AppContext): void {
  app.get("/api/session/:sessionID/message", async (context) => {
    const { id } = await sessionOf(context, engine)
    const { limit, order, cursor } = readQuery(context, pageQuery)
    if (cursor !== undefined && order !== undefined) {
      throw new RequestError("Query", '"cursor" has an order of its own: leave "order" out.')
    }
    const first = { id: undefined, order: order ?? "desc", direction: "next" } as const
    const place = cursor === undefined ? first : readMessageCursor(cursor)
    return context.json(await readMessagePage(engine, id, place, limit))
  })
  app.get("/api/session/:sessionID/message/:messageID", async (context) => {
    const session = await sessionOf(context, engine)
    const messageID = messageIDOf(paramOf(context, "messageID"))
    const found = await findMessage(engine, session.id, messageID)
    if (!found || isCompactionMarker(found)) {
      throw missing(session.id, messageID, `Session ${session.id} has no message ${messageID}.`)
    }
    return context.json({ data: await withMarker(engine, found) })
  })
  app.get("/api/session/:sessionID/context", async (context) => {
    return context.json({ data: await readContext(engine, await sessionOf(context, engine)) })
  })
  app.post("/api/session/:sessionID/revert/stage", async (context) => {
    const { id: sessionID } = await sessionOf(context, engine)
    const { messageID, files } = await readBody(context, stageBody)
    try {
      const { session } = await engine.revert({ sessionID, messageID, files })
      return context.json({ data: session.revert ?? { messageID } })
    } catch (error) {
      if (error instanceof NotFoundError) throw missing(sessionID, messageID, error.message)
      throw error
    }
  })
  app.post("/api/session/:sessionID/revert/clear", async (context) => {
    const { id: sessionID, undo = [] } = await sessionOf(context, engine)
    // OpenCode's clients also call it when nothing is undone.
    if (undo.length > 0) await engine.unrevert({ sessionID })
    return context.body(null, 204)
  })
}

function messageIDOf(text: string): MessageID {
  if (isMessageID(text)) return text
  throw new RequestError("Params", `"${text}" is not a message id: it must begin with "msg_".`)
}

function missing(sessionID: string, messageID: string, message: string): TaggedError {
  return new TaggedError(404, "MessageNotFoundError", { message, sessionID, messageID })
}
