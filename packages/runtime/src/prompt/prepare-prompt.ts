import { resolve } from "node:path"
import { isFor, type ModelRef, type PromptPart } from "@pawl/core"
import { toModelRef } from "@pawl/provider-registry/model-ref"
import { attachment } from "./attachment.ts"
import type { TypedPrompt } from "../runtime-options.ts"
import type { ChosenCommand } from "./find-command.ts"
import type { ExpandedCommand, TemplateContext } from "./expand-command.ts"
import { checkFile, withFileCheck } from "./check-file.ts"
import { mentionedParts } from "./mentioned-parts.ts"

/** Works on a command's task where the command names no agent. */
const WORKER = "general"

/** The agent that a command's task is handed to, in a session of its own; undefined where it is a prompt like others. */
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

/** The parts of what is sent first: the command's prompt, or the text as it was typed, and what they name. */
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
  // A subagent reads what its prompt names by itself.
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
  { command, arguments: given }: ChosenCommand,
  { signal }: Pick<TemplateContext, "signal">,
): Promise<ExpandedCommand> {
  const parts = (await command.expand?.(given, signal ?? new AbortController().signal)) ?? []
  const isText = (part: PromptPart) => part.type === "text"
  const text = parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n\n")
  return { text, parts: parts.filter((part) => !isText(part)) }
}
