import type { MessageWithParts, StepStartPart } from "../record/message.ts"
import type { SystemSources } from "./system-prompt.ts"
import type { MessageID } from "../base/ids.ts"
import type { RequestOrder } from "../record/request-order.ts"
import type { Instruction } from "../contracts/workspace.ts"
import { digest } from "../base/digest.ts"

/** The system prompt that the requests of a context begin with, as a step has stored it. */
export type StoredHead = NonNullable<StepStartPart["head"]>

/** Digests of the sources that the model has read, in the system prompt or in a reminder since. */
export interface ReadSources {
  readonly prompt: string
  /** Digests by path. */
  readonly instructions: Readonly<Record<string, string>>
}

export interface ContextHead {
  readonly stored: StoredHead
  readonly read: ReadSources
}

export interface CurrentSources {
  /** The model as `provider/model`. */
  readonly model: string
  readonly agent: string
  readonly sources: SystemSources
  /** Maximum UTF-8 bytes of a reminder. */
  readonly maxReminderBytes: number
}

/** Reminder that replaces a changed system prompt. `read`: the sources that the model has read after the reminder. */
export interface SourcesReminder {
  readonly text: string
  readonly read: ReadSources
}

/**
 * Decision about the system prompt of a request. `build`: make a prompt of the current sources, which the step stores.
 * `reuse`: use the stored prompt. `remind`: use the stored prompt, after the reminder was added to a user message.
 */
export type HeadDecision =
  | { readonly type: "build"; readonly head: StoredHead; readonly changed?: "environment" | "instructions" }
  | { readonly type: "reuse"; readonly head: StoredHead }
  | { readonly type: "remind"; readonly head: StoredHead; readonly reminder: SourcesReminder }

/**
 * Keeps the bytes before the newest message, because a changed system prompt invalidates the provider's cache. Builds a
 * new prompt for another model or environment, which have no cache, and if the reminder would be too long.
 */
export function decideHead(known: ContextHead | undefined, current: CurrentSources): HeadDecision {
  const { model, agent, sources } = current
  const head: StoredHead = { model, agent, ...sources, instructions: [...sources.instructions] }
  if (!known) return { type: "build", head }
  const { stored, read } = known
  if (stored.model !== model) return { type: "build", head }
  if (stored.environment !== sources.environment) return { type: "build", head, changed: "environment" }
  const now = digestsOf(sources)
  const texts = [...agentTexts(known, current), ...instructionTexts(known, sources.instructions, now)]
  if (texts.length === 0) return { type: "reuse", head: stored }
  const text = texts.join("\n\n")
  if (Buffer.byteLength(text) <= current.maxReminderBytes) {
    return { type: "remind", head: stored, reminder: { text, read: now } }
  }
  return now.prompt === read.prompt ? { type: "build", head, changed: "instructions" } : { type: "build", head }
}

/** Maximum UTF-16 code units of all texts together. A stored record may have 256 KB. */
const MAX_STORED_LENGTH = 60_000

/**
 * Returns the head to store. Undefined if it is stored already, or too large: each run then builds it from its sources.
 */
export function headToStore({ type, head }: HeadDecision): StoredHead | undefined {
  const { prompt, environment, instructions } = head
  const own = prompt.length + environment.length
  const length = instructions.reduce((sum, { path, text }) => sum + path.length + text.length, own)
  return type === "build" && length <= MAX_STORED_LENGTH ? head : undefined
}

function agentTexts({ stored, read }: ContextHead, { agent, sources: { prompt } }: CurrentSources): string[] {
  if (digest(prompt) === read.prompt) return []
  const name = JSON.stringify(agent)
  if (prompt === stored.prompt) {
    return [`The agent is ${name} again. The instructions at the beginning of the system prompt apply again.`]
  }
  const head = `The agent is now ${name}. These instructions replace the ones at the beginning of the system prompt:`
  return [`${head}\n\n${prompt}`]
}

function instructionTexts(
  { stored, read }: ContextHead,
  instructions: readonly Instruction[],
  now: ReadSources,
): string[] {
  const changed = instructions.flatMap(({ path, text }) => {
    if (now.instructions[path] === read.instructions[path]) return []
    const original = stored.instructions.find((each) => each.path === path)
    if (original?.text === text) return [`${path} is again as the system prompt shows it.`]
    const isKnown = original !== undefined || read.instructions[path] !== undefined
    const state = isKnown ? "has changed. This replaces what you have read of it before" : "applies as well"
    return [`The instruction file ${path} ${state}:\n\n${text}`]
  })
  const removed = Object.keys(read.instructions)
    .filter((path) => now.instructions[path] === undefined)
    .map((path) => `The instruction file ${path} was removed and no longer applies.`)
  return [...changed, ...removed]
}

function digestsOf({ prompt, instructions }: Omit<SystemSources, "environment">): ReadSources {
  return {
    prompt: digest(prompt),
    instructions: Object.fromEntries(instructions.map(({ path, text }) => [path, digest(text)])),
  }
}

/** Finds the head that the steps of a context have stored since its last compaction, whose marker is `compacted`. */
export function findHead(messages: readonly MessageWithParts[], compacted?: MessageID): ContextHead | undefined {
  let read: ReadSources | undefined
  for (let at = messages.length - 1; at >= 0; at--) {
    const message = messages[at]
    if (!message || (compacted && message.info.id <= compacted)) return undefined
    // A prompt that was sent again may hold several reminders, of which the last one is valid.
    let own: ReadSources | undefined
    for (const part of message.parts) {
      if (part.type === "text") own = readSources(part.metadata?.["read"]) ?? own
      if (part.type === "step-start" && part.head)
        return { stored: part.head, read: read ?? own ?? digestsOf(part.head) }
    }
    read ??= own
  }
  return undefined
}

function readSources(value: unknown): ReadSources | undefined {
  const { prompt, instructions } = (value ?? {}) as Partial<ReadSources>
  if (typeof prompt !== "string" || typeof instructions !== "object") return undefined
  return { prompt, instructions }
}

/** Caches the head of the context that a run works on. Searches once for each context, and after each change. */
export interface ContextHeads {
  find(messages: readonly MessageWithParts[], order: RequestOrder): ContextHead | undefined
  /** Called when a step has stored a head or a reminder. */
  changed(): void
}

export function createContextHeads(): ContextHeads {
  let last: { readonly start: MessageID; readonly head: ContextHead | undefined } | undefined
  return {
    find(messages, { summaryMessages }) {
      const compacted = summaryMessages[0]?.info.id
      const start = compacted ?? messages[0]?.info.id
      if (start === undefined) return undefined
      if (last?.start === start) return last.head
      last = { start, head: findHead(messages, compacted) }
      return last.head
    },
    changed: () => void (last = undefined),
  }
}
