import { messageOf, type MessageWithParts, NotFoundError, type PromptRequest } from "@pawl/core"
import type { Hono } from "hono"
import type { AppScene } from "../app.ts"
import { findMessage } from "../find-message.ts"
import { answerOf } from "../prompt/answer-of.ts"
import { promptBody } from "../prompt/prompt-body.ts"
import { promptRequest } from "../prompt/prompt-request.ts"
import { readBody, sessionIDOf } from "../read-request.ts"
import { openCodeMessageWithParts } from "../shapes/message.ts"

export function addPromptRoutes(app: Hono, { host: { engine }, events }: AppScene): void {
  async function prompted(request: PromptRequest): Promise<MessageWithParts> {
    const { sessionID } = request
    const result = await engine.prompt(request)
    if (result.type !== "stored") return answerOf(engine, sessionID, result)
    const stored = await findMessage(engine, sessionID, result.messageID)
    if (!stored) throw new NotFoundError(`Session ${sessionID} has no message ${result.messageID}.`)
    return stored
  }

  app.post("/session/:sessionID/message", async (context) => {
    const sessionID = sessionIDOf(context)
    const request = await promptRequest(sessionID, await readBody(context, promptBody))
    return context.json(openCodeMessageWithParts(await prompted(request)))
  })
  // Answered before the work begins: what fails is told as an event.
  app.post("/session/:sessionID/prompt_async", async (context) => {
    const sessionID = sessionIDOf(context)
    const request = await promptRequest(sessionID, await readBody(context, promptBody))
    await engine.getSession(sessionID)
    prompted(request).catch((error: unknown) => {
      events.publish("session.error", {
        sessionID,
        error: { name: "UnknownError", data: { message: messageOf(error) } },
      })
    })
    return context.body(null, 204)
  })
}
