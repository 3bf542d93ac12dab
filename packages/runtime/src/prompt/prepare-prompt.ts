import { resolve } from "node:path"
import { isFor, type ModelRef, type PromptPart } from "@pawl/core"
import { toModelRef } from "@pawl/provider-registry/model-ref"
import { attachment } from "./attachment.ts"
import type { TypedPrompt } from "../runtime-options.ts"
import type { ChosenCommand } from "./find-command.ts"
import type { ExpandedCommand, TemplateContext } from "./expand-command.ts"
import { checkFile, withFileCheck } from "./check-file.ts"
import { mentionedParts } from "./mentioned-parts.ts"

/** The agent for a command's subtask if the command names no agent. */
const WORKER = "general"

/** Returns the agent that runs the command in a child session; undefined if the command is an ordinary prompt. */
export function subtaskAgent(
  { command }: ChosenCommand,
  { agents }: Pick<TemplateContext, "agents">,
): string | undefined {
  const { subtask, agent } = command
  if (agent === undefined) return subtask === true ? WORKER : undefined
  const known = agents.get(agent)
  const isSubagent = known !== undefined && !isFor(known, "user") && isFor(known, "agent")
  return isSubagent || subtask === true ? agent : undefined
}

/** Returns the parts of the first message: the command's prompt or the typed text, and the files that they name. */
export async function preparePrompt(
  { text, typed = "", files = [] }: TypedPrompt,
  chosen: ChosenCommand | undefined,
  context: TemplateContext,
  here: string,
): Promise<PromptPart[]> {
  const attached = await attachedParts(files, context, here)
  if (!chosen) return [{ type: "text", text }, ...attached, ...(await mentionedParts(typed, withFileCheck(context)))]
  const { command } = chosen
  const { expandCommand } = await import("./expand-command.ts")
  const expanded = await (command.expand ? expandByPlugin(chosen, context) : expandCommand(chosen, context))
  const agent = subtaskAgent(chosen, context)
  if (agent === undefined) return [{ type: "text", text: expanded.text }, ...attached, ...expanded.parts]
  const model: ModelRef | undefined = command.model === undefined ? undefined : toModelRef(command.model)
  const subtask: PromptPart = {
    ...{ type: "subtask", agent, prompt: expanded.text, command: command.name },
    description: command.description ?? `/${command.name}`,
    ...(model ? { model } : {}),
  }
  // The subagent reads the files that its prompt names.
  return [subtask, ...attached]
}

async function attachedParts(files: readonly string[], context: TemplateContext, here: string): Promise<PromptPart[]> {
  const parts: PromptPart[] = []
  for (const file of files) {
    const target = await checkFile(resolve(here, file), context)
    parts.push(...(await attachment(file, here, { target })))
  }
  return parts
}

/** Expands a plugin's command: its texts are the prompt, other parts are added. Rejects if the plugin fails. */
async function expandByPlugin(
  { command, arguments: args }: ChosenCommand,
  { signal }: Pick<TemplateContext, "signal">,
): Promise<ExpandedCommand> {
  const parts = (await command.expand?.(args, signal ?? new AbortController().signal)) ?? []
  const isText = (part: PromptPart) => part.type === "text"
  const text = parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n\n")
  return { text, parts: parts.filter((part) => !isText(part)) }
}
