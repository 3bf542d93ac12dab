import { NotFoundError } from "@pawl/core/storage"
import type { Hono } from "hono"
import { z } from "zod"
import {
  answerPermission,
  answerQuestion,
  dismissQuestion,
  permissionReply,
  questionReply,
  reply,
} from "../answer-request.ts"
import type { AppContext } from "../app-context.ts"
import { paramOf, readBody, sessionIDOf } from "../read-request.ts"
import { openCodePermission, openCodeQuestion } from "../shapes/request.ts"
import * as answers from "../openapi/answers.ts"
import type { Operations } from "../openapi/operation.ts"

const responseBody = z.object({ response: reply })

export const questionOperations: Operations = {
  "GET /permission": {
    id: "permission.list",
    summary: "Lists open permission requests.",
    answer: z.array(answers.permissionRequest),
  },
  "POST /permission/:requestID/reply": {
    id: "permission.reply",
    summary: "Answers a permission request.",
    body: permissionReply,
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
    body: questionReply,
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
  app.get("/permission", (context) => {
    return context.json([...events.permissions.values()].map((request) => openCodePermission(request)))
  })
  app.post("/permission/:requestID/reply", async (context) => {
    const request = open(events.permissions, paramOf(context, "requestID"), "permission request")
    await answerPermission(engine, request, await readBody(context, permissionReply))
    return context.json(true)
  })
  app.post("/session/:sessionID/permissions/:permissionID", async (context) => {
    const { response } = await readBody(context, responseBody)
    const request = { id: paramOf(context, "permissionID"), sessionID: sessionIDOf(context) }
    await answerPermission(engine, request, { reply: response })
    return context.json(true)
  })

  app.get("/question", (context) => {
    return context.json([...events.questions.values()].map((request) => openCodeQuestion(request)))
  })
  app.post("/question/:requestID/reply", async (context) => {
    const request = open(events.questions, paramOf(context, "requestID"), "question")
    await answerQuestion(engine, request, await readBody(context, questionReply))
    return context.json(true)
  })
  app.post("/question/:requestID/reject", async (context) => {
    await dismissQuestion(engine, open(events.questions, paramOf(context, "requestID"), "question"))
    return context.json(true)
  })
}

function open<T>(requests: ReadonlyMap<string, T>, id: string, what: string): T {
  const request = requests.get(id)
  if (request) return request
  throw new NotFoundError(`There is no open ${what} ${id}.`)
}
