import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createEngine, type MessageWithParts } from "@pawl/core"
import type { EngineEvent, Plugin } from "@pawl/core/plugin"
import type { ModelRequest } from "@pawl/core/provider"
import { finish, scriptedModel, text } from "@pawl/provider-replay"
import { memoryStorage } from "@pawl/storage-memory"

export interface CompactingOptions {
  readonly plugin: Plugin
  readonly options?: Readonly<Record<string, unknown>>
  /** What the user says, a prompt each, before the conversation is compacted. */
  readonly prompts?: readonly string[]
  /** What the agent answers, in their order; to the rest it says little. */
  readonly answers?: readonly string[]
  readonly summary?: string
  /** How often it is compacted, with one prompt more behind each. Absent: once. */
  readonly rounds?: number
  readonly agent?: string
  /** Files of the project, by path. */
  readonly prepare?: (directory: string) => Promise<void>
}

export interface Compacted {
  /** What the summarizer was asked for, behind the conversation. */
  readonly asked: string
  /** The summary as it is stored. */
  readonly stored: string | undefined
  /** The request after the last compaction. */
  readonly next: ModelRequest
  readonly messages: readonly MessageWithParts[]
  readonly events: readonly EngineEvent[]
  readonly directory: string
}

/** A conversation with a scripted model, a compaction that is asked for, and one prompt more. */
export async function compacting(given: CompactingOptions): Promise<Compacted> {
  const {
    plugin,
    options = {},
    prompts = conversation,
    answers = [],
    summary = goodSummary,
    agent = "build",
    rounds = 1,
  } = given
  const directory = await mkdtemp(join(tmpdir(), "pawl-compaction-prompt-"))
  const before = prompts.map((_, at) => answers[at] ?? `Answer ${at}.`)
  const replies = [...before, ...Array.from({ length: rounds }, () => [summary, "And on."]).flat()]
  const model = scriptedModel(replies.map((reply) => [text(reply), finish("stop")]))
  const storage = memoryStorage()
  const { ref, info } = model
  const engine = await createEngine({
    storage,
    providers: [{ id: ref.providerID, name: "replay", models: async () => [info], model: async () => model }],
    model: ref,
    plugins: [{ id: "compaction-prompt", plugin, options: { directory, ...options } }],
  })
  const events: EngineEvent[] = []
  engine.subscribe((event) => events.push(event))
  try {
    await given.prepare?.(directory)
    const { id } = await engine.createSession({ directory })
    for (const prompt of prompts) await ask(prompt)
    for (let round = 0; round < rounds; round++) {
      await engine.compact(id)
      await ask("What now?")
    }
    const { messages } = await storage.readContext(id)
    const asked = lastText(model.requests[prompts.length])
    const next = model.requests.at(-1) as ModelRequest
    return { asked, stored: storedSummary(messages), next, messages, events, directory }

    async function ask(prompt: string): Promise<void> {
      await engine.prompt({ sessionID: id, agent, parts: [{ type: "text", text: prompt }] })
    }
  } finally {
    await engine.close()
    await storage.close()
    await rm(directory, { recursive: true, force: true })
  }
}

/** Long enough that a summary is shorter. */
export const conversation = ["First.", "Second.", "Third."].map((begin) => `${begin} ${"More of it. ".repeat(200)}`)

export const goodSummary = ["Objective", "Important details", "Work state", "Next move", "Relevant files"]
  .map((title) => `## ${title}\nSo it is.`)
  .join("\n\n")

/** All texts of a request's messages. */
export function textsOf({ messages }: Pick<ModelRequest, "messages">): string[] {
  return messages.flatMap(({ content }) => content.flatMap((item) => (item.type === "text" ? [item.text] : [])))
}

function lastText(request: ModelRequest | undefined): string {
  return request ? (textsOf({ messages: request.messages.slice(-1) })[0] ?? "") : ""
}

function storedSummary(messages: readonly MessageWithParts[]): string | undefined {
  const message = messages.find(({ info }) => info.role === "assistant" && info.summary === true)
  const part = message?.parts.find(({ type }) => type === "text")
  return part?.type === "text" ? part.text : undefined
}
