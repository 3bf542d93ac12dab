import type { MessageID, SessionID } from "@pawl/core/record"
import { compactCommand, isFor, type MessageWithParts, NotFoundError, type PromptPart } from "@pawl/core"
import type { Hono } from "hono"
import { z } from "zod"
import type { AppContext } from "../app-context.ts"
import type { ServerCommand, ServerHost } from "../host.ts"
import { answerOf } from "../prompt/answer-of.ts"
import { attachedFile } from "../prompt/attached-file.ts"
import { compacted, offeredCommands } from "../prompt/compacted.ts"
import { delivery, filePart } from "../prompt/prompt-body.ts"
import { readBody, sessionIDOf } from "../read-request.ts"
import { RequestError } from "../request-error.ts"
import { openCodeMessageWithParts } from "../shapes/message.ts"
import * as answers from "../openapi/answers.ts"
import type { Operations } from "../openapi/operation.ts"

const body = z.object({
  command: z.string(),
  arguments: z.string().default(""),
  agent: z.string().nullish(),
  /** `provider/model` */
  model: z.string().nullish(),
  messageID: z.templateLiteral(["msg", z.string()]).nullish(),
  parts: z.array(filePart).nullish(),
  delivery,
})

const initBody = z.object({
  providerID: z.string().optional(),
  modelID: z.string().optional(),
  messageID: z.templateLiteral(["msg", z.string()]).optional(),
})

export const commandOperations: Operations = {
  "POST /session/:sessionID/init": {
    id: "session.init",
    summary: "Runs the command that writes AGENTS.md, and returns when the turn has ended.",
    body: initBody,
    answer: answers.yes,
  },
  "POST /session/:sessionID/command": {
    id: "session.command",
    summary: "Runs a slash command, and returns the answer when the turn has ended.",
    body,
    answer: answers.messageWithParts,
  },
}

export function addCommandRoute(app: Hono, { host, events }: AppContext): void {
  const { engine } = host

  async function executed(sessionID: SessionID, given: z.infer<typeof body>, signal: AbortSignal) {
    const command = await findCommand(host, given.command)
    await engine.getSession(sessionID)
    const answer = await answered(sessionID, given, command, signal)
    const { name } = command
    events.publish("command.executed", { name, sessionID, arguments: given.arguments, messageID: answer.info.id })
    await events.log.delivered()
    return answer
  }

  async function answered(
    sessionID: SessionID,
    given: z.infer<typeof body>,
    command: ServerCommand,
    signal: AbortSignal,
  ): Promise<MessageWithParts> {
    if (command.does === "compact") {
      const model = given.model ? { model: modelRef(given.model) } : {}
      return compacted(engine, sessionID, { ...compactCommand(`/compact ${given.arguments}`), ...model })
    }
    const expanded = [...(await command.expand(given.arguments, signal))]
    for (const file of given.parts ?? []) expanded.push(...(await attachedFile(file, host)))
    const agent = command.agent ?? given.agent ?? undefined
    const parts = (await isSubtask(host, command, agent)) ? [subtask(command, agent, expanded)] : expanded
    const model = command.model ?? given.model
    const result = await engine.prompt({
      ...{ sessionID, parts, by: "program" },
      command: { name: command.name, arguments: given.arguments },
      ...(agent === undefined || parts[0]?.type === "subtask" ? {} : { agent }),
      ...(model ? { model: modelRef(model) } : {}),
      ...(given.delivery ? { delivery: given.delivery } : {}),
      ...(given.messageID ? { clientID: given.messageID, messageID: given.messageID as MessageID } : {}),
    })
    return answerOf(engine, sessionID, result)
  }

  app.post("/session/:sessionID/command", async (context) => {
    const given = await readBody(context, body)
    return context.json(openCodeMessageWithParts(await executed(sessionIDOf(context), given, context.req.raw.signal)))
  })
  app.post("/session/:sessionID/init", async (context) => {
    const { providerID, modelID, messageID } = await readBody(context, initBody)
    const commands = await offeredCommands(host)
    if (!commands.some(({ name }) => name === INIT)) {
      throw new NotFoundError(`pawl's server has no command "${INIT}" here: ${context.req.path} is not offered.`)
    }
    const model = providerID && modelID ? `${providerID}/${modelID}` : undefined
    const given = { command: INIT, arguments: "", model, messageID }
    await executed(sessionIDOf(context), given, context.req.raw.signal)
    return context.json(true)
  })
}

/** The command that writes the instructions for agents. */
const INIT = "init"

async function findCommand(host: ServerHost, name: string): Promise<ServerCommand> {
  const commands = await offeredCommands(host)
  const found = commands.find((each) => each.name === name)
  if (found) return found
  const known = commands.map((each) => each.name).join(", ")
  throw new NotFoundError(`There is no command "${name}". Known: ${known || "none"}.`)
}

/**
 * Returns true if the command runs in a subagent: it says so, or its agent is for subagents only and the command does
 * not refuse.
 */
async function isSubtask(
  host: ServerHost,
  { subtask: isAsked }: ServerCommand,
  name: string | undefined,
): Promise<boolean> {
  if (isAsked !== undefined || name === undefined) return isAsked ?? false
  const agent = (await host.agents()).find((each) => each.name === name)
  return agent !== undefined && !isFor(agent, "user") && isFor(agent, "agent")
}

function subtask({ name, description = name }: ServerCommand, agent = "general", parts: PromptPart[]): PromptPart {
  const prompt = parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n")
  return { type: "subtask", prompt, description, agent, command: name }
}

function modelRef(text: string) {
  const [providerID = "", ...rest] = text.split("/")
  if (providerID === "" || rest.length === 0) {
    throw new RequestError("Body", `"${text}" is not a model: write it as provider/model.`)
  }
  return { providerID, modelID: rest.join("/") }
}
