import type { Hono } from "hono"
import { z } from "zod"
import type { AppContext } from "../app-context.ts"
import * as answers from "../openapi/answers.ts"
import type { Operations } from "../openapi/operation.ts"
import { readBody, sessionIDOf } from "../read-request.ts"
import { openCodeMessageWithParts } from "../shapes/message.ts"

const MAX_COMMAND_LENGTH = 128 * 1024

const body = z.object({
  command: z.string().trim().min(1).max(MAX_COMMAND_LENGTH),
  agent: z.string().nullish(),
  model: z.object({ providerID: z.string(), modelID: z.string() }).nullish(),
  messageID: z.templateLiteral(["msg", z.string()]).nullish(),
})

export const shellOperations: Operations = {
  "POST /session/:sessionID/shell": {
    id: "session.shell",
    summary: "Runs a shell command of the user under the permission of bash, without the model.",
    body,
    answer: answers.messageWithParts,
  },
}

/** Runs a shell command of the user, under the permission of bash. The model is not asked. */
export function addShellRoute(app: Hono, { host, events }: AppContext): void {
  app.post("/session/:sessionID/shell", async (context) => {
    const sessionID = sessionIDOf(context)
    const { command, agent, model } = await readBody(context, body)
    const answer = await host.engine.callTool({
      sessionID,
      tool: "bash",
      input: { command, description: "Command of the user" },
      by: "program",
      ...(agent ? { agent } : {}),
      ...(model ? { model } : {}),
    })
    await events.log.delivered()
    const message = openCodeMessageWithParts(answer)
    // The two entries of OpenCode's SDK disagree: the older one expects the message itself.
    return context.json({ ...message.info, ...message })
  })
}
