import type { SessionID } from "../base/ids.ts"
import type { Tokens } from "../record/message.ts"
import { inputTokens } from "../measure/measured-request.ts"
import type { CacheBust } from "../contracts/cache-bust.ts"
import type { PrefixChange } from "./prefix.ts"

/** Actions of the engine between two requests that change the beginning of the second one. */
export type CacheMechanism =
  | "compaction"
  | "prune"
  /** Media that a provider refused were replaced by text. */
  | "quarantine"
  /** The new agent has another prompt and other tools. */
  | "agent"
  /** Another variant of the model is used. Some providers then read the whole conversation again. */
  | "variant"
  | "environment"
  | "instructions"
  /** The reminder of the last step is only in one request. */
  | "reminder"

export interface BustSituation {
  readonly sessionID: SessionID
  /** Missing if the request begins with the whole previous request. */
  readonly change: PrefixChange | undefined
  /** Actions since the previous request. */
  readonly mechanisms: readonly CacheMechanism[]
  /** Ids of the plugins that changed the drafts of this request or of the previous one. */
  readonly plugins: {
    readonly system: readonly string[]
    readonly tools: readonly string[]
    readonly messages: readonly string[]
  }
  /** Usage reported by the provider. Missing if the answer has not ended, or has no report. */
  readonly usage?: { readonly before: Tokens; readonly now: Tokens } | undefined
  /** Milliseconds from the last answer to this request. */
  readonly sinceAnswer: number
  /** Milliseconds for which the provider keeps its cache. */
  readonly cacheTTL: number
}

/** Explains why the provider could not reuse its cache, and what caused it. Undefined if the cache was reused. */
export function explainBust(situation: BustSituation): CacheBust | undefined {
  const { sessionID, change } = situation
  if (!change) return isForgotten(situation) ? forgotten(situation) : undefined
  const { firstChangedBlock } = change
  const about = { sessionID, firstChangedBlock }
  if (change.reason === "model") return { ...about, reason: "model", owner: "model" }
  const has = (mechanism: CacheMechanism) => situation.mechanisms.includes(mechanism)
  if (change.reason === "messages") {
    if (has("compaction")) return { ...about, reason: "compaction", owner: "compaction" }
    if (has("prune")) return { ...about, reason: "prune", owner: "prune" }
  }
  return { ...about, reason: change.reason, owner: ownerOf({ reason: change.reason, firstChangedBlock }, situation) }
}

/** Mechanisms that can change a kind of block without being a reason of their own, the likeliest first. */
const touching: { readonly [R in "system" | "tools" | "messages"]: readonly CacheMechanism[] } = {
  system: ["agent", "environment", "instructions"],
  tools: ["agent"],
  messages: ["quarantine", "reminder"],
}

interface OwnedChange {
  readonly reason: keyof typeof touching
  readonly firstChangedBlock: string
}

/** Returns the owner of a change. A mechanism that has run precedes plugins, which may change every request. */
function ownerOf({ reason, firstChangedBlock }: OwnedChange, { mechanisms, plugins }: BustSituation): string {
  const mechanism = touching[reason].find((candidate) => mechanisms.includes(candidate))
  if (mechanism) return mechanism
  const [first, ...others] = plugins[reason]
  if (first !== undefined) return [`plugin ${first}`, ...others].join(", ")
  // `system[1]` is the block of environment and instructions; a changed environment would have been noted.
  if (firstChangedBlock === "system[1]") return "instructions"
  return { system: "system prompt", tools: "tool set", messages: "history" }[reason]
}

/** Minimum tokens of a prompt. Providers may not cache shorter ones, and a miss costs little. */
const MIN_KNOWN_TOKENS = 2_048
/** Minimum part that is read from the cache. Caches work in steps of a few hundred tokens, and some forget a part. */
const MIN_READ_SHARE = 0.5

/** Returns whether the provider missed its cache. A provider that has not reported a cache has none to miss. */
function isForgotten({ usage }: BustSituation): boolean {
  if (!usage) return false
  const { before, now } = usage
  const known = inputTokens(before)
  if (before.cache.read + before.cache.write === 0 || known < MIN_KNOWN_TOKENS) return false
  return inputTokens(now) > 0 && now.cache.read < known * MIN_READ_SHARE
}

function forgotten({ sessionID, mechanisms, sinceAnswer, cacheTTL }: BustSituation): CacheBust {
  const isOld = sinceAnswer > cacheTTL
  if (!isOld && mechanisms.includes("variant")) {
    return { sessionID, reason: "model", firstChangedBlock: "messages[0]", owner: "variant" }
  }
  const owner = isOld ? "time" : "provider"
  return { sessionID, reason: "expired", firstChangedBlock: "system[0]", owner }
}
