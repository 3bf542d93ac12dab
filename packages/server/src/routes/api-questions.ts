import { NotFoundError, QuestionClosedError, type Session } from "@pawl/core"
import { messageOf } from "@pawl/core/tool"
import type { Context, Hono } from "hono"
import { z } from "zod"
import { answerPermission, answerQuestion, dismissQuestion, permissionReply, questionReply } from "../answer-request.ts"
import type { AppContext } from "../app-context.ts"
import { sessionOf } from "../newer-request.ts"
import * as answers from "../openapi/answers.ts"
import type { Operations } from "../openapi/operation.ts"
import { paramOf, readBody } from "../read-request.ts"
import { TaggedError } from "../request-error.ts"
import { locationOf } from "../shapes/newer.ts"
import { newerPermission, storedChoices, storedPermissions } from "../shapes/newer-request.ts"
import { openCodeQuestion } from "../shapes/request.ts"

const permissions = z.array(answers.newerPermission)
const questions = z.array(answers.questionRequest)

export const apiQuestionOperations: Operations = {
  "GET /api/permission/request": {
    id: "v2.permission.request.list",
    summary: "Lists open permission requests.",
    answer: z.object({ location: answers.location, data: permissions }),
  },
  "GET /api/session/:sessionID/permission": {
    id: "v2.session.permission.list",
    summary: "Lists open permission requests of a session.",
    answer: z.object({ data: permissions }),
  },
  "GET /api/session/:sessionID/permission/:requestID": {
    id: "v2.session.permission.get",
    summary: "Returns an open permission request.",
    answer: z.object({ data: answers.newerPermission }),
  },
  "POST /api/session/:sessionID/permission/:requestID/reply": {
    id: "v2.session.permission.reply",
    summary: "Answers a permission request.",
    body: permissionReply,
  },
  "GET /api/question/request": {
    id: "v2.question.request.list",
    summary: "Lists open questions.",
    answer: z.object({ location: answers.location, data: questions }),
  },
  "GET /api/session/:sessionID/question": {
    id: "v2.session.question.list",
    summary: "Lists open questions of a session.",
    answer: z.object({ data: questions }),
  },
  "POST /api/session/:sessionID/question/:requestID/reply": {
    id: "v2.session.question.reply",
    summary: "Answers a question.",
    body: questionReply,
  },
  "POST /api/session/:sessionID/question/:requestID/reject": {
    id: "v2.session.question.reject",
    summary: "Dismisses a question.",
  },
}

/**
 * Permission requests and questions in the form of OpenCode's newer interface. Those of a session are read from the
 * storage, so those from before the start of this app are among them.
 */
export function addAPIQuestionRoutes(app: Hono, { host, events }: AppContext): void {
  const { engine, directory } = host
  const location = locationOf(host)

  async function openPermissions({ id }: Session) {
    const own = (await engine.questions(id)).filter(({ sessionID }) => sessionID === id)
    return storedPermissions(own, directory)
  }
  async function openChoices({ id }: Session) {
    return storedChoices((await engine.questions(id)).filter(({ sessionID }) => sessionID === id))
  }
  async function permissionOf(context: Context) {
    return found(await openPermissions(await sessionOf(context, engine)), context, "Permission")
  }
  async function choiceOf(context: Context) {
    return found(await openChoices(await sessionOf(context, engine)), context, "Question")
  }

  app.get("/api/permission/request", (context) => {
    return context.json({ location, data: [...events.permissions.values()].map((each) => newerPermission(each)) })
  })
  app.get("/api/session/:sessionID/permission", async (context) => {
    return context.json({ data: await openPermissions(await sessionOf(context, engine)) })
  })
  app.get("/api/session/:sessionID/permission/:requestID", async (context) => {
    return context.json({ data: await permissionOf(context) })
  })
  app.post("/api/session/:sessionID/permission/:requestID/reply", async (context) => {
    const request = await permissionOf(context)
    const body = await readBody(context, permissionReply)
    await answered(() => answerPermission(engine, request, body), request, "Permission")
    return context.body(null, 204)
  })

  app.get("/api/question/request", (context) => {
    return context.json({ location, data: [...events.questions.values()].map((each) => openCodeQuestion(each)) })
  })
  app.get("/api/session/:sessionID/question", async (context) => {
    return context.json({ data: await openChoices(await sessionOf(context, engine)) })
  })
  app.post("/api/session/:sessionID/question/:requestID/reply", async (context) => {
    const request = await choiceOf(context)
    const body = await readBody(context, questionReply)
    await answered(() => answerQuestion(engine, request, body), request, "Question")
    return context.body(null, 204)
  })
  app.post("/api/session/:sessionID/question/:requestID/reject", async (context) => {
    const request = await choiceOf(context)
    await answered(() => dismissQuestion(engine, request), request, "Question")
    return context.body(null, 204)
  })
}

type Kind = "Permission" | "Question"

function found<T extends { readonly id: string }>(open: readonly T[], context: Context, kind: Kind): T {
  const requestID = paramOf(context, "requestID")
  const request = open.find(({ id }) => id === requestID)
  if (request) return request
  const name = kind === "Question" ? "question" : "permission request"
  throw notFound(kind, requestID, `The session has no open ${name} ${requestID}.`)
}

/** Gives an answer. Another one may come first. */
async function answered(answer: () => Promise<void>, { id }: { readonly id: string }, kind: Kind): Promise<void> {
  try {
    await answer()
  } catch (error) {
    if (!(error instanceof NotFoundError || error instanceof QuestionClosedError)) throw error
    throw notFound(kind, id, messageOf(error))
  }
}

function notFound(kind: Kind, requestID: string, message: string): TaggedError {
  return new TaggedError(404, `${kind}NotFoundError`, { message, requestID })
}
