import { NotFoundError, type PartID, type SessionID } from "@pawl/core/storage"
import type { Hono } from "hono"
import { z } from "zod"
import type { AppContext } from "../app-context.ts"
import { paramOf, readBody, sessionIDOf } from "../read-request.ts"
import { openCodePermission, openCodeQuestion } from "../shapes/request.ts"
import * as answers from "../openapi/answers.ts"
import type { Operations } from "../openapi/operation.ts"

const reply = z.enum(["once", "always", "reject"])
const responseBody = z.object({ response: reply })
const permissionBody = z.object({
  reply,
  message: z.string().optional(),
  /** Own addition: patterns that an answer of `always` allows instead of the proposed ones. */
  patterns: z.array(z.string()).optional(),
})
const answersBody = z.object({ answers: z.array(z.array(z.string())) })

export const questionOperations: Operations = {
  "GET /permission": {
    id: "permission.list",
    summary: "Lists open permission requests.",
    answer: z.array(answers.permissionRequest),
  },
  "POST /permission/:requestID/reply": {
    id: "permission.reply",
    summary: "Answers a permission request.",
    body: permissionBody,
    answer: answers.yes,
  },
  "POST /session/:sessionID/permissions/:permissionID": {
    id: "permission.respond",
    summary: "Answers a permission request of a session.",
    body: responseBody,
    answer: answers.yes,
  },
  "GET /question": {
    id: "question.list",
    summary: "Lists open questions.",
    answer: z.array(answers.questionRequest),
  },
  "POST /question/:requestID/reply": {
    id: "question.reply",
    summary: "Answers a question.",
    body: answersBody,
    answer: answers.yes,
  },
  "POST /question/:requestID/reject": {
    id: "question.reject",
    summary: "Dismisses a question.",
    answer: answers.yes,
  },
}

/** Routes for questions since the start of this app, and for their answers. */
export function addQuestionRoutes(app: Hono, { host: { engine }, events }: AppContext): void {
  const permissionReply = (sessionID: SessionID, id: string, given: z.infer<typeof permissionBody>) => {
    const { reply: said, message, patterns } = given
    const details = { ...(message ? { message } : {}), ...(patterns ? { patterns } : {}) }
    const answer = { type: "permission" as const, reply: said, ...details }
    return engine.answer({ sessionID, questionID: id as PartID, answer })
  }

  app.get("/permission", (context) => {
    return context.json([...events.permissions.values()].map((request) => openCodePermission(request)))
  })
  app.post("/permission/:requestID/reply", async (context) => {
    const { id, sessionID } = open(events.permissions, paramOf(context, "requestID"), "permission request")
    await permissionReply(sessionID, id, await readBody(context, permissionBody))
    return context.json(true)
  })
  app.post("/session/:sessionID/permissions/:permissionID", async (context) => {
    const { response } = await readBody(context, responseBody)
    await permissionReply(sessionIDOf(context), paramOf(context, "permissionID"), { reply: response })
    return context.json(true)
  })

  app.get("/question", (context) => {
    return context.json([...events.questions.values()].map((request) => openCodeQuestion(request)))
  })
  app.post("/question/:requestID/reply", async (context) => {
    const { id, sessionID } = open(events.questions, paramOf(context, "requestID"), "question")
    const { answers } = await readBody(context, answersBody)
    await engine.answer({ sessionID, questionID: id as PartID, answer: { type: "choice", answers } })
    return context.json(true)
  })
  app.post("/question/:requestID/reject", async (context) => {
    const { id, sessionID } = open(events.questions, paramOf(context, "requestID"), "question")
    const reason = "The user dismissed this question."
    await engine.answer({ sessionID, questionID: id as PartID, answer: { type: "dismissed", reason } })
    return context.json(true)
  })
}

function open<T>(requests: ReadonlyMap<string, T>, id: string, what: string): T {
  const request = requests.get(id)
  if (request) return request
  throw new NotFoundError(`There is no open ${what} ${id}.`)
}
