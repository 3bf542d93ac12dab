import { compactCommand, type MessageWithParts, NotFoundError, type PromptRequest } from "@pawl/core"
import { messageOf } from "@pawl/core/tool"
import type { Hono } from "hono"
import type { AppContext } from "../app-context.ts"
import type { ServerHost } from "../host.ts"
import { findMessage } from "../find-message.ts"
import { answerOf } from "../prompt/answer-of.ts"
import { compacted, offeredCommands } from "../prompt/compacted.ts"
import { promptBody } from "../prompt/prompt-body.ts"
import { promptRequest } from "../prompt/prompt-request.ts"
import { readBody, sessionIDOf } from "../read-request.ts"
import { openCodeMessageWithParts } from "../shapes/message.ts"
import * as answers from "../openapi/answers.ts"
import type { Operations } from "../openapi/operation.ts"

/**
 * Returns the requested compaction if the prompt is only `/compact`, unless the host has another command of that name.
 */
async function askedCompaction(host: ServerHost, { parts, model, noReply }: PromptRequest) {
  const [part, ...others] = parts
  if (part?.type !== "text" || part.synthetic === true || noReply === true || others.length > 0) return undefined
  const asked = compactCommand(part.text)
  const isOwn = asked && (await offeredCommands(host)).some(({ does }) => does === "compact")
  return isOwn ? { ...asked, ...(model ? { model } : {}) } : undefined
}

export const promptOperations: Operations = {
  "POST /session/:sessionID/message": {
    id: "session.prompt",
    summary: "Sends a prompt, and returns the answer when the turn has ended.",
    body: promptBody,
    answer: answers.messageWithParts,
  },
  "POST /session/:sessionID/prompt_async": {
    id: "session.prompt_async",
    summary: "Sends a prompt, and returns at once.",
    body: promptBody,
  },
}

export function addPromptRoutes(app: Hono, { host, events }: AppContext): void {
  const { engine } = host

  async function prompted(request: PromptRequest): Promise<MessageWithParts> {
    const { sessionID } = request
    const compaction = await askedCompaction(host, request)
    if (compaction) return compacted(engine, sessionID, compaction)
    const result = await engine.prompt(request)
    if (result.type !== "stored") return answerOf(engine, sessionID, result)
    const stored = await findMessage(engine, sessionID, result.messageID)
    if (!stored) throw new NotFoundError(`Session ${sessionID} has no message ${result.messageID}.`)
    return stored
  }

  app.post("/session/:sessionID/message", async (context) => {
    const sessionID = sessionIDOf(context)
    const request = await promptRequest(sessionID, await readBody(context, promptBody), host)
    const answer = await prompted(request)
    // A client that ends with this answer has seen all events of its turn.
    await events.log.delivered()
    return context.json(openCodeMessageWithParts(answer))
  })
  // Responds before the run starts. Errors are reported as events.
  app.post("/session/:sessionID/prompt_async", async (context) => {
    const sessionID = sessionIDOf(context)
    const request = await promptRequest(sessionID, await readBody(context, promptBody), host)
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
