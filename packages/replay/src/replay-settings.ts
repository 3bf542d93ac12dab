import type { CompactionSettings } from "@pawl/core"
import type { JSONObject, JSONValue } from "@pawl/core/record"

/** The recorded settings that affect the run. */
export interface ReplaySettings {
  readonly compaction?: CompactionSettings
  readonly repetition?: "ask" | "nudge" | "stop"
  /** provider/model */
  readonly fallback?: readonly string[]
  readonly subagentDepth?: number
  /** Limit of attempts per request. */
  readonly attempts?: number
  /** Limit of steps of the run. */
  readonly steps?: number
  /** The model for session titles, as provider/model. */
  readonly title?: string
}

/** Reads the valid settings and ignores others, since a recording may be edited. */
export function readReplaySettings(given: JSONObject = {}): ReplaySettings {
  const { compaction, repetition, fallback, subagentDepth, attempts, steps, title } = given
  return {
    ...(isObject(compaction) ? { compaction: compactionOf(compaction) } : {}),
    ...(isOneOf(repetition, ["ask", "nudge", "stop"]) ? { repetition } : {}),
    ...(Array.isArray(fallback) ? { fallback: fallback.filter((ref) => typeof ref === "string") } : {}),
    ...(isCount(subagentDepth) ? { subagentDepth } : {}),
    ...(isCount(attempts) && attempts > 0 ? { attempts: Math.min(attempts, MAX_ATTEMPTS) } : {}),
    ...(isCount(steps) && steps > 0 ? { steps } : {}),
    ...(typeof title === "string" ? { title } : {}),
  }
}

const MAX_ATTEMPTS = 100
const SWITCHES = ["auto", "prune"] as const
const FIGURES = ["reserved", "preserve_recent_tokens", "tail_turns", "soft", "cache_ttl_ms"] as const

function compactionOf(given: JSONObject): CompactionSettings {
  const { models } = given
  const own = isObject(models) ? Object.entries(models) : []
  return {
    ...contextOf(given),
    models: Object.fromEntries(
      own.flatMap(([glob, settings]) => (isObject(settings) ? [[glob, contextOf(settings)]] : [])),
    ),
  }
}

function contextOf(given: JSONObject): CompactionSettings {
  const switches = SWITCHES.flatMap((key) => (typeof given[key] === "boolean" ? [[key, given[key]]] : []))
  const figures = FIGURES.flatMap((key) => (Number.isFinite(given[key]) ? [[key, given[key]]] : []))
  return Object.fromEntries([...switches, ...figures]) as CompactionSettings
}

function isObject(value: JSONValue | undefined): value is JSONObject {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

function isCount(value: JSONValue | undefined): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0
}

function isOneOf<T extends string>(value: unknown, choices: readonly T[]): value is T {
  return choices.some((choice) => choice === value)
}
