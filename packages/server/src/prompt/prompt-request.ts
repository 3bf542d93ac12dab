import type { PromptPart, PromptRequest, SessionID } from "@pawl/core"
import type { MessageID } from "@pawl/core/record"
import { RequestError } from "../request-error.ts"
import { attachedFile } from "./attached-file.ts"
import type { PromptBody } from "./prompt-body.ts"

type Project = Parameters<typeof attachedFile>[1]

/** Converts OpenCode's prompt to the engine's. Throws RequestError for unsupported options. */
export async function promptRequest(sessionID: SessionID, body: PromptBody, project: Project): Promise<PromptRequest> {
  const { messageID, model, agent, variant, noReply, tools, format, system, delivery } = body
  if (format && format.type !== "text") {
    throw new RequestError("Body", `Answers of the format "${format.type}" cannot be asked for: leave "format" out.`)
  }
  return {
    sessionID,
    by: "program",
    parts: await promptParts(body.parts, project),
    ...(messageID ? { clientID: messageID, messageID: messageID as MessageID } : {}),
    ...(model ? { model } : {}),
    ...(agent ? { agent } : {}),
    ...(variant ? { variant } : {}),
    ...(tools ? { tools } : {}),
    ...(system ? { system } : {}),
    ...(noReply ? { noReply } : {}),
    ...(delivery ? { delivery } : {}),
  }
}

async function promptParts(parts: PromptBody["parts"], project: Project): Promise<PromptPart[]> {
  const converted: PromptPart[] = []
  for (const part of parts) converted.push(...(await promptPart(part, project)))
  return converted
}

async function promptPart(part: PromptBody["parts"][number], project: Project): Promise<PromptPart[]> {
  switch (part.type) {
    case "text": {
      const { text, synthetic, ignored } = part
      return [{ type: "text", text, ...(synthetic ? { synthetic } : {}), ...(ignored ? { ignored } : {}) }]
    }
    case "file":
      return attachedFile(part, project)
    case "agent": {
      const { name, source } = part
      return [{ type: "agent", name, ...(source ? { source } : {}) }]
    }
    case "subtask": {
      const { prompt, description, agent, model, command } = part
      const more = { ...(model ? { model } : {}), ...(command === undefined ? {} : { command }) }
      return [{ type: "subtask", prompt, description, agent, ...more }]
    }
  }
}
