import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { type Client, type Input, ServerError } from "@pawl/client"
import { formatModelRef } from "@pawl/provider-registry/model-ref"
import { mentionsIn, splitLines } from "@pawl/runtime/prompt/mentions"
import { slashCommand } from "@pawl/runtime/prompt/slash-command"
import type { SentPrompt } from "./source.ts"

type Body = Input<"session.prompt">["body"]
type SentPart = Body["parts"][number]

/** Returns a function that sends the prompt to a server, which expands commands. It resolves when the turn has ended. */
export async function preparePrompt(
  client: Client,
  prompt: SentPrompt,
  directory: string,
): Promise<() => Promise<void>> {
  const { sessionID, text, agent, model, variant, delivery } = prompt
  const path = { sessionID }
  const chosen = { ...(agent === undefined ? {} : { agent }), ...(delivery ? { delivery } : {}) }
  const command = await knownCommand(client, text, directory)
  if (command) {
    const body = {
      ...{ command: command.name, arguments: command.arguments },
      ...{ ...chosen, ...(model ? { model: formatModelRef(model) } : {}) },
    }
    return async () => void (await client.call("session.command", { path, body }, { directory }))
  }
  const body: Body = {
    ...chosen,
    ...(model ? { model: { ...model } } : {}),
    ...(variant === undefined ? {} : { variant }),
    parts: [{ type: "text", text }, ...(await mentionedParts(client, text, directory))],
  }
  return async () => void (await client.call("session.prompt", { path, body }, { directory }))
}

/** Returns the command that the text calls. Throws if it looks like one that the server does not have. */
async function knownCommand(client: Client, text: string, directory: string) {
  const call = slashCommand(text)
  if (!call) return undefined
  const commands = await client.call("command.list", {}, { directory })
  if (commands.some(({ name }) => name === call.name)) return call
  // A path may look the same.
  if (call.name.includes("/")) return undefined
  throw new Error(`There is no command "/${call.name}". /help lists the commands.`)
}

/** Returns parts for the files and subagents behind @. The server decides which files may be read. */
async function mentionedParts(client: Client, text: string, directory: string): Promise<SentPart[]> {
  const mentions = mentionsIn(text)
  if (mentions.length === 0) return []
  const agents = await client.call("app.agents", {}, { directory })
  const parts: SentPart[] = []
  for (const readings of mentions) {
    for (const written of readings) {
      const file = await filePart(client, written, directory)
      const isAgent = agents.some(({ name, mode }) => name === written && mode !== "primary")
      const part: SentPart | undefined = file ?? (isAgent ? { type: "agent", name: written } : undefined)
      if (!part) continue
      parts.push(part)
      break
    }
  }
  return parts
}

/** Returns the part for a file, whose name may end with lines, as in `:10-20`. Undefined if the server reads none. */
async function filePart(client: Client, written: string, directory: string): Promise<SentPart | undefined> {
  const { name, lines } = splitLines(written)
  const content = await client.call("file.read", { query: { path: name } }, { directory }).catch(unreadable)
  if (!content) return directoryPart(client, written, directory)
  const { type, mimeType = "application/octet-stream" } = content
  if (type === "binary") {
    return { type: "file", mime: mimeType, filename: name, url: `data:${mimeType};base64,${content.content}` }
  }
  if (!lines) {
    return { type: "file", mime: "text/plain", filename: name, url: pathToFileURL(join(directory, name)).href }
  }
  const { first, last } = lines
  const chosen = content.content.split("\n").slice(Math.max(first, 1) - 1, last)
  const encoded = Buffer.from(chosen.join("\n")).toString("base64")
  return {
    type: "file",
    mime: "text/plain",
    filename: `${name}:${first}-${last}`,
    url: `data:text/plain;base64,${encoded}`,
  }
}

async function directoryPart(client: Client, name: string, directory: string): Promise<SentPart | undefined> {
  const entries = await client.call("file.list", { query: { path: name } }, { directory }).catch(unreadable)
  if (!entries || entries.length === 0) return undefined
  const url = pathToFileURL(join(directory, name)).href
  return { type: "file", mime: "application/x-directory", filename: name, url }
}

function unreadable(error: unknown): undefined {
  if (error instanceof ServerError) return undefined
  throw error
}
