import type { SessionID } from "../base/ids.ts"
import type { Tokens } from "../record/message.ts"
import { inputTokens } from "../measure/measured-request.ts"
import type { CacheBust } from "../contracts/cache-bust.ts"
import type { PrefixChange } from "./prefix.ts"

/** What the engine itself did between two requests that changes how the second begins. */
export type CacheMechanism =
  | "compaction"
  | "prune"
  /** Media that a provider refused were replaced by words. */
  | "quarantine"
  /** Another agent has another prompt and other tools. */
  | "agent"
  /** The model is asked in another way: some providers then read all of the conversation anew. */
  | "variant"
  | "environment"
  | "instructions"
  /** The reminder of the last step is in one request alone. */
  | "reminder"

export interface BustSituation {
  readonly sessionID: SessionID
  /** Absent where the request begins with all of the one before it. */
  readonly change: PrefixChange | undefined
  /** Since the request before this one. */
  readonly mechanisms: readonly CacheMechanism[]
  /** Ids of the plugins that changed the drafts of this request or the one before. */
  readonly plugins: {
    readonly system: readonly string[]
    readonly tools: readonly string[]
    readonly messages: readonly string[]
  }
  /** What the provider counted; absent where the answer has not ended, or was not counted. */
  readonly usage?: { readonly before: Tokens; readonly now: Tokens } | undefined
  /** Milliseconds from the last answer to this request. */
  readonly sinceAnswer: number
  /** Milliseconds for which the provider keeps its cache. */
  readonly cacheTTL: number
}

/** Why the provider could not reuse what it had read before, and who is to blame. Undefined where it could. */
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

/** What can touch a kind of block without being a reason of its own, the likeliest first. */
const touching: { readonly [R in "system" | "tools" | "messages"]: readonly CacheMechanism[] } = {
  system: ["agent", "environment", "instructions"],
  tools: ["agent"],
  messages: ["quarantine", "reminder"],
}

interface OwnedChange {
  readonly reason: keyof typeof touching
  readonly firstChangedBlock: string
}

/** A mechanism that is known to have run comes before a plugin, which may do the same to every request. */
function ownerOf({ reason, firstChangedBlock }: OwnedChange, { mechanisms, plugins }: BustSituation): string {
  const mechanism = touching[reason].find((candidate) => mechanisms.includes(candidate))
  if (mechanism) return mechanism
  const [first, ...others] = plugins[reason]
  if (first !== undefined) return [`plugin ${first}`, ...others].join(", ")
  // The block of environment and instructions, and the environment would have been noted.
  if (firstChangedBlock === "system[1]") return "instructions"
  return { system: "system prompt", tools: "tool set", messages: "history" }[reason]
}

/** Below this a provider may not keep anything, and misses little. Tokens. */
const LEAST_KNOWN = 2_048
/** Caches work in steps of a few hundred tokens, and some forget a part: less than this share read is a miss. */
const LEAST_SHARE = 0.5

/** Whether the provider has read anew what it is known to keep. One that never spoke of a cache has none to miss. */
function isForgotten({ usage }: BustSituation): boolean {
  if (!usage) return false
  const { before, now } = usage
  const known = inputTokens(before)
  if (before.cache.read + before.cache.write === 0 || known < LEAST_KNOWN) return false
  return inputTokens(now) > 0 && now.cache.read < known * LEAST_SHARE
}

function forgotten({ sessionID, mechanisms, sinceAnswer, cacheTTL }: BustSituation): CacheBust {
  const isOld = sinceAnswer > cacheTTL
  if (!isOld && mechanisms.includes("variant")) {
    return { sessionID, reason: "model", firstChangedBlock: "messages[0]", owner: "variant" }
  }
  const owner = isOld ? "time" : "provider"
  return { sessionID, reason: "expired", firstChangedBlock: "system[0]", owner }
}
