import type { IDSource, PartID, SessionID } from "../../base/ids.ts"
import type { JSONObject, JSONValue } from "../../base/json.ts"
import type { Hooks } from "../../hooks/hooks.ts"
import type { Write } from "../../contracts/storage.ts"
import type { EventBus } from "../../contracts/events.ts"
import type { Journal } from "../../store/journal.ts"
import type { AssistantMessage, Part, ReasoningPart, TextPart } from "../../record/message.ts"
import { createTextStream, type TextStream } from "./text-stream.ts"
import type { PendingToolPart } from "../../tool-call/tool-call.ts"
import { complete, fail, pending, run } from "../../contracts/tool-state.ts"

export interface StepPartsDeps {
  readonly hooks: Hooks
  readonly store: { readonly ids: IDSource; readonly bus: EventBus; readonly now: () => number }
}

/** The parts of one answer while it streams, by the ids that the stream gives them. */
export interface StepParts {
  /** Opens a text. Closes an open text of the same id first. */
  openText(type: "text" | "reasoning", id: string, metadata?: JSONObject): Promise<void>
  appendText(id: string, delta: string): void
  closeText(id: string, metadata?: JSONObject): Promise<void>
  /** Closes the texts that a finished answer has left open. */
  closeTexts(): Promise<void>
  openCall(id: string, name: string): PendingToolPart
  appendInput(id: string, delta: string): void
  /** Returns the complete call, ready to run, and ends its streaming. `metadata` is sent back to the provider. */
  takeCall(id: string, name: string, input: string, metadata?: JSONObject): PendingToolPart
  /** Returns whether the same call was taken before. Some servers send a call twice. */
  isTaken(id: string, name: string, input: string): boolean
  /** Registers a call that the provider runs itself: its result will come from the stream. */
  awaitResult(id: string, part: PendingToolPart): void
  /** Stores a call that the provider has run itself. */
  settleProviderCall(id: string, name: string, outcome: { output: JSONValue } | { error: string }): Promise<void>
  /** Returns the writes that remove open parts, or keep them; kept calls are stored as aborted. */
  closeAll(left: "keep" | "remove"): Write[]
  /** Returns the end of the newest text: whole words, at most `most` characters. */
  newestText(most: number): string
  /** All parts so far, in order. */
  readonly partIDs: readonly PartID[]
  /** True if the answer has content that a user or a model can read. */
  readonly hasContent: boolean
}

interface StepPartsInput {
  readonly journal: Journal
  readonly message: AssistantMessage
  readonly rootSessionID: SessionID
  readonly signal: AbortSignal
}

export function createStepParts(
  { hooks, store: { ids, bus, now } }: StepPartsDeps,
  { journal, message, rootSessionID, signal }: StepPartsInput,
): StepParts {
  const texts = new Map<string, TextStream>()
  const calls = new Map<string, PendingToolPart>()
  const partIDs: PartID[] = []
  const callIDs = new Set<string>()
  const taken = new Set<string>()
  let hasContent = false
  let lastText = ""

  function newOwner() {
    const id = ids.part(partIDs.at(-1))
    partIDs.push(id)
    return { id, sessionID: message.sessionID, messageID: message.id }
  }
  function announce(part: Part) {
    bus.publish("message.part.updated", { sessionID: message.sessionID, part, time: now() })
  }
  function ended(part: TextPart | ReasoningPart, metadata?: JSONObject): TextPart | ReasoningPart {
    const time = { start: part.time?.start ?? now(), end: now() }
    return { ...part, text: part.text.trimEnd(), time, ...(metadata ? { metadata } : {}) }
  }

  const parts: StepParts = {
    partIDs,
    get hasContent() {
      return hasContent
    },
    async openText(type, id, metadata) {
      await parts.closeText(id)
      const part = { ...newOwner(), type, text: "", time: { start: now() }, ...(metadata ? { metadata } : {}) }
      texts.set(id, createTextStream(part, journal))
      announce(part)
    },
    appendText(id, delta) {
      const stream = texts.get(id)
      if (!stream || delta === "") return
      stream.append(delta)
      const { sessionID, messageID, id: partID } = stream
      bus.publish("message.part.delta", { sessionID, messageID, partID, field: "text", delta })
    },
    async closeText(id, metadata) {
      const stream = texts.get(id)
      if (!stream) return
      let part = ended(stream.part(), metadata)
      if (part.type === "text") {
        const { sessionID, messageID, id: partID } = part
        const about = { sessionID, rootSessionID, messageID, partID, agent: message.agent }
        const { text } = await hooks.transform("text.complete", about, { text: part.text }, signal)
        part = { ...part, text }
        lastText = text
        hasContent ||= text !== ""
      }
      texts.delete(id)
      // Providers that sign their reasoning send it without text.
      const isEmpty = part.text === "" && part.metadata === undefined
      journal.save(
        isEmpty ? { type: "part.remove", messageID: message.id, partID: part.id } : { type: "part.put", part },
      )
    },
    async closeTexts() {
      for (const id of texts.keys()) await parts.closeText(id)
    },
    openCall(id, name) {
      const open = calls.get(id)
      if (open) return open
      const owner = newOwner()
      // Some servers send duplicate or empty call ids, and each result must find its call.
      const callID = id === "" || callIDs.has(id) ? owner.id : id
      callIDs.add(callID)
      const part: PendingToolPart = { ...owner, type: "tool", callID, tool: name, state: pending("") }
      calls.set(id, part)
      announce(part)
      return part
    },
    appendInput(id, delta) {
      const part = calls.get(id)
      if (part) calls.set(id, { ...part, state: pending(part.state.raw + delta) })
    },
    isTaken: (id, name, input) => id !== "" && !calls.has(id) && taken.has(JSON.stringify([id, name, input])),
    takeCall(id, name, input, metadata) {
      taken.add(JSON.stringify([id, name, input]))
      const part = calls.get(id) ?? parts.openCall(id, name)
      calls.delete(id)
      hasContent = true
      return { ...part, state: pending(input), ...(metadata ? { metadata: { provider: metadata } } : {}) }
    },
    awaitResult: (id, part) => void calls.set(id, part),
    async settleProviderCall(id, name, outcome) {
      const part = calls.get(id) ?? parts.openCall(id, name)
      calls.delete(id)
      hasContent = true
      const running = run(part.state, parseInput(part.state.raw), now())
      const state =
        "error" in outcome
          ? fail(running, outcome.error, now())
          : complete(running, { title: name, output: toText(outcome.output) }, [], now())
      await journal.commit([{ type: "part.put", part: { ...part, metadata: { providerExecuted: true }, state } }])
    },
    newestText(most) {
      const open = [...texts.values()].map((stream) => stream.part()).findLast((part) => part.type === "text")
      const text = open?.text ?? lastText
      // A cut word could be a part of a secret, which no pattern would mask.
      return text.length > most ? text.slice(-most).replace(/^\S*/, "").toWellFormed() : text.toWellFormed()
    },
    closeAll(left) {
      const open = [...texts.values()].map((stream) => ended(stream.part()))
      const unfinished = [...calls.values()]
      texts.clear()
      calls.clear()
      if (left === "remove") {
        return [...open, ...unfinished].map((part) => ({ type: "part.remove", messageID: message.id, partID: part.id }))
      }
      return [
        ...open.filter((part) => part.text !== ""),
        ...unfinished.map((part) => {
          return { ...part, state: fail(part.state, "Tool execution aborted", now(), { interrupted: true }) }
        }),
      ].map((part) => ({ type: "part.put", part }))
    },
  }
  return parts
}

function parseInput(raw: string): JSONObject {
  try {
    const value: unknown = JSON.parse(raw)
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JSONObject) : {}
  } catch {
    return {}
  }
}

function toText(output: JSONValue): string {
  return typeof output === "string" ? output : JSON.stringify(output)
}
