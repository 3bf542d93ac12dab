import type { Hono } from "hono"
import type { PartID } from "@pawl/core/record"
import { answer, messageID, questionPart, sessionID } from "@pawl/core/schemas"
import { z } from "zod"
import type { AppContext } from "../app-context.ts"
import * as answers from "../openapi/answers.ts"
import type { Operations } from "../openapi/operation.ts"
import { answerOf } from "../prompt/answer-of.ts"
import { paramOf, readBody, sessionIDOf } from "../read-request.ts"
import { openCodeMessageWithParts } from "../shapes/message.ts"

const openQuestion = z.object({
  id: z.string(),
  sessionID,
  rootSessionID: sessionID,
  messageID,
  callID: z.string(),
  tool: z.string(),
  input: z.record(z.string(), z.unknown()),
  about: questionPart.shape.about,
  time: z.object({ created: z.number() }),
})

/** Routes that OpenCode does not have. */
export const runOperations: Operations = {
  "POST /session/:sessionID/resume": {
    id: "session.resume",
    summary: "Continues interrupted work of a session, and returns the answer when the turn has ended.",
    answer: answers.messageWithParts,
  },
  "DELETE /session/:sessionID/queue/:messageID": {
    id: "session.withdraw",
    summary: "Takes a waiting prompt back. Answers false if it was delivered already.",
    answer: answers.yes,
  },
  "GET /session/:sessionID/context": {
    id: "session.context",
    summary: "Returns what the next request would contain, in tokens.",
    answer: z.looseObject({}),
  },
  "GET /session/:sessionID/question": {
    id: "session.questions",
    summary: "Lists open questions of a session and of those below it, also those from before the server's start.",
    answer: z.array(openQuestion),
  },
  "POST /session/:sessionID/question/:questionID": {
    id: "session.answer",
    summary: "Answers an open question of a session.",
    body: answer,
    answer: answers.yes,
  },
}

export function addRunRoutes(app: Hono, { host: { engine }, events }: AppContext): void {
  app.post("/session/:sessionID/resume", async (context) => {
    const sessionID = sessionIDOf(context)
    const answer = await answerOf(engine, sessionID, await engine.resume(sessionID))
    await events.log.delivered()
    return context.json(openCodeMessageWithParts(answer))
  })
  app.delete("/session/:sessionID/queue/:messageID", async (context) => {
    return context.json(await engine.withdraw(sessionIDOf(context), paramOf(context, "messageID")))
  })
  app.get("/session/:sessionID/question", async (context) => {
    const questions = await engine.questions(sessionIDOf(context))
    return context.json(
      questions.map(
        ({ id, sessionID: session, rootSessionID, messageID: message, callID, tool, input, about, time }) => {
          return { id, sessionID: session, rootSessionID, messageID: message, callID, tool, input, about, time }
        },
      ),
    )
  })
  app.post("/session/:sessionID/question/:questionID", async (context) => {
    const given = await readBody(context, answer)
    const questionID = paramOf(context, "questionID") as PartID
    await engine.answer({ sessionID: sessionIDOf(context), questionID, answer: given })
    return context.json(true)
  })
  app.get("/session/:sessionID/context", async (context) => context.json(await engine.context(sessionIDOf(context))))
}
