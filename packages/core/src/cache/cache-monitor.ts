import type { CacheBust } from "../contracts/cache-bust.ts"
import { createDraftTrace, type DraftTrace } from "../hooks/draft-trace.ts"
import { type CacheMechanism, explainBust } from "./explain-bust.ts"
import { comparePrefix, createPrefixes, type Prefix, type PrefixChange } from "./prefix.ts"
import { compareStored, endedWith, type StoredPrefix, storePrefix } from "./stored-prefix.ts"
import { blamedForTools } from "./tool-blame.ts"
import { compactionsOf } from "../record/compaction-record.ts"
import type { EventBus } from "../contracts/events.ts"
import type { SessionID } from "../base/ids.ts"
import type { Model, ModelRequest } from "../contracts/model.ts"
import { maxStepsMessage } from "../reminders/max-steps.ts"
import type { ToolSet } from "../tool-set/tool-set.ts"
import type { History } from "../store/history.ts"
import type { AssistantMessage, MessageWithParts, StepFinishPart, Tokens } from "../record/message.ts"

/** The plugins that changed the drafts of a request. */
export interface PromptTraces {
  readonly system: DraftTrace
  readonly messages: DraftTrace
}

export interface CachedRequest {
  readonly request: Pick<ModelRequest, "system" | "tools" | "messages">
  readonly model: Pick<Model, "ref">
  readonly agent: string
  /** Variant of the model. */
  readonly variant: string | undefined
  readonly history: Pick<History, "messages">
  readonly traces: PromptTraces
  readonly tools: Pick<ToolSet, "definitions" | "originOf">
  /** Milliseconds for which the provider keeps its cache. */
  readonly cacheTTL: number
}

/**
 * Compares each request of a run with the previous one, and explains why a provider could not reuse its cache. Each run
 * has its own.
 */
export interface CacheMonitor {
  /** Notes an action of the engine since the last request that changes the beginning of the next one. */
  note(mechanism: CacheMechanism): void
  /** Called before the request is sent. Hashes later, so that the request is not delayed. */
  beforeSend(request: CachedRequest): void
  /** Called when the answer has begun. */
  onAnswer(): void
  /**
   * Publishes a cache bust. Returns the prefix to store with the end of the step, or undefined if no request was sent.
   */
  afterAnswer(usage: Tokens): StepFinishPart["prefix"]
  /** Ends the subscription to events. */
  atEnd(): void
}

export interface CacheMonitorDeps {
  readonly bus: EventBus
  readonly now: () => number
}

export function createCacheMonitor({ bus, now }: CacheMonitorDeps, sessionID: SessionID): CacheMonitor {
  const prefixOf = createPrefixes()
  let noted: CacheMechanism[] = []
  let last:
    | {
        readonly prefix: Prefix
        readonly stored: StoredPrefix
        readonly usage: Tokens
        readonly plugins: Plugins
        readonly tools: CachedRequest["tools"]
      }
    | undefined
  let current: (CachedRequest & { readonly at: number }) | undefined
  let compared: Compared | undefined

  function compare(): Compared | undefined {
    if (!current || compared) return compared
    const { messages } = current.history
    const prefix = prefixOf(current.model.ref, current.request)
    const before = lastAnswer(messages)
    const change = last ? comparePrefix(last.prefix, prefix) : changeSinceStored(messages, before, prefix)
    const known = last?.stored ?? storedOf(messages).at(-1)
    const isReminderGone =
      change?.reason === "messages" && known !== undefined && endedWith(maxStepsMessage, known, prefix)
    compared = { prefix, before, change, isReminderGone, stored: storePrefix(prefix, change ? undefined : known) }
    return compared
  }

  const unsubscribe = bus.subscribe(({ type, properties }) => {
    if (type !== "session.compacted" || properties.sessionID !== sessionID) return
    noted.push(properties.strategy === "prune" ? "prune" : "compaction")
  })

  return {
    atEnd: unsubscribe,
    note: (mechanism) => void noted.push(mechanism),
    beforeSend(request) {
      current = { ...request, at: now() }
      compared = undefined
      // The first request of a long session is hashed whole, after it was sent. Later ones only hash new messages.
      if (last) setImmediate(() => compare())
    },
    onAnswer: () => void compare(),
    afterAnswer(usage) {
      const found = compare()
      if (!current || !found) return undefined
      const { history, traces, tools, agent, variant, at, cacheTTL } = current
      const { before, change, prefix, stored, isReminderGone } = found
      const plugins = { system: traces.system.changedBy(), messages: traces.messages.changedBy() }
      const toolPlugins = change?.reason === "tools" ? blamedForTools(last?.tools, tools) : []
      const usages = last?.usage ?? before?.tokens
      const bust = explainBust({
        ...{ sessionID, change, cacheTTL },
        mechanisms: [
          ...noted,
          ...(isReminderGone ? (["reminder"] as const) : []),
          ...(before && before.variant !== variant ? (["variant"] as const) : []),
          ...(last ? agentChange(before, agent) : mechanismsSince(history.messages, before, agent)),
        ],
        plugins: { ...bothOf(last?.plugins, plugins), tools: toolPlugins },
        usage: usages && { before: usages, now: usage },
        sinceAnswer: at - (before?.time.completed ?? at),
      })
      if (bust) bus.publish("cache.bust", bust satisfies CacheBust)
      last = { prefix, stored, usage, plugins, tools }
      noted = []
      current = undefined
      compared = undefined
      if (!bust) return { ...stored, head: [...stored.head] }
      const { reason, firstChangedBlock, owner } = bust
      return { ...stored, head: [...stored.head], bust: { reason, firstChangedBlock, owner } }
    },
  }
}

export function createPromptTraces(): PromptTraces {
  return { system: createDraftTrace(), messages: createDraftTrace() }
}

interface Compared {
  readonly prefix: Prefix
  /** The previous answer. */
  readonly before: AssistantMessage | undefined
  readonly change: PrefixChange | undefined
  readonly stored: StoredPrefix
  /** Set if the previous request ended with the reminder of the last step, which only one request has. */
  readonly isReminderGone: boolean
}

interface Plugins {
  readonly system: readonly string[]
  readonly messages: readonly string[]
}

/** Returns the plugins of both requests. A plugin that changed the previous request may have stopped doing so. */
function bothOf(before: Plugins | undefined, now: Plugins): Plugins {
  const both = (key: keyof Plugins) => [...new Set([...now[key], ...(before?.[key] ?? [])])]
  return { system: both("system"), messages: both("messages") }
}

function changeSinceStored(
  messages: readonly MessageWithParts[],
  before: AssistantMessage | undefined,
  prefix: Prefix,
): PrefixChange | undefined {
  if (!before) return undefined
  return compareStored(storedOf(messages), `${before.providerID}/${before.modelID}`, prefix)
}

function storedOf(messages: readonly MessageWithParts[]): StoredPrefix[] {
  return messages.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.type === "step-finish" && part.prefix ? [part.prefix] : [])),
  )
}

function lastAnswer(messages: readonly MessageWithParts[]): AssistantMessage | undefined {
  for (let at = messages.length - 1; at >= 0; at--) {
    const info = messages[at]?.info
    if (info?.role === "assistant" && !info.summary && info.time.completed !== undefined) return info
  }
  return undefined
}

/** Returns the actions of other runs since the last answer. */
function mechanismsSince(
  messages: readonly MessageWithParts[],
  before: AssistantMessage | undefined,
  agent: string,
): CacheMechanism[] {
  if (!before) return []
  const since = before.time.completed ?? Infinity
  const newest = compactionsOf(messages).findLast(({ isApplied }) => isApplied)
  const isCompacted = newest?.summary !== undefined && newest.summary.info.id > before.id
  const isPruned = messages.some(({ parts }) => parts.some((part) => clearedAt(part) >= since))
  return [
    ...(isCompacted ? (["compaction"] as const) : []),
    ...(isPruned ? (["prune"] as const) : []),
    ...agentChange(before, agent),
  ]
}

function agentChange(before: AssistantMessage | undefined, agent: string): CacheMechanism[] {
  return before && before.agent !== agent ? ["agent"] : []
}

function clearedAt(part: MessageWithParts["parts"][number]): number {
  return part.type === "tool" && part.state.status === "completed"
    ? (part.state.time.compacted ?? -Infinity)
    : -Infinity
}
