import type { ModelInfo } from "../contracts/model.ts"
import type { ModelRef } from "../record/message.ts"
import { type CompactionSettings, settingsFor } from "./compaction-settings.ts"

/** Limits for the requests of a model. All numbers are tokens; Infinity if the model's window is unknown. */
export interface OverflowPolicy {
  /** Limit of input and output together. */
  readonly window: number
  /** Tokens kept free of input. */
  readonly reserve: number
  /** Maximum input: the window, or the model's own input limit, without the reserve. */
  readonly usable: number
  /** Threshold for preparing a summary. */
  readonly soft: number
  /** Threshold for shrinking the context. */
  readonly hard: number
  /** Maximum requested output. */
  readonly maxOutput: number
  /** Maximum size of the newest turns that stay word for word. */
  readonly tail: number
  /** Maximum number of turns in the tail; Infinity if only their size counts. */
  readonly tailTurns: number
  readonly auto: boolean
  readonly prune: boolean
  /** Milliseconds that a provider is assumed to keep its cache. */
  readonly cacheTTL: number
}

const MAX_OUTPUT = 32_000
const MAX_RESERVE = 20_000
const RESERVED_SHARE = 0.2
const SOFT_SHARE = 0.9
const MIN_SOFT_SHARE = 0.1
const MIN_TAIL = 2_000
const MAX_TAIL = 15_000
const TAIL_SHARE = 0.25
/** A longer tail would leave a compaction nothing to remove. */
const MAX_TAIL_SHARE = 0.4
const CACHE_TTL_MS = 5 * 60_000
/** Minimum output: an answer needs room for a call and its arguments. */
export const MIN_OUTPUT_TOKENS = 1_024

/** Returns the limits of a model under these settings. The reserve is at most half of the window. */
export function overflowPolicy(
  { limit, cacheTTL }: Pick<ModelInfo, "limit" | "cacheTTL">,
  ref: ModelRef,
  settings: CompactionSettings,
): OverflowPolicy {
  const own = settingsFor(settings, ref)
  const window = limit.context > 0 ? limit.context : Infinity
  const input = Math.min(window, limit.input && limit.input > 0 ? limit.input : Infinity)
  const maxOutput = limit.output > 0 ? Math.min(limit.output, MAX_OUTPUT) : MAX_OUTPUT
  const reserve = between(0, own.reserved ?? defaultReserve(input, maxOutput), Math.floor(input / 2))
  const usable = input - reserve
  const tail = own.preserve_recent_tokens ?? defaultTail(usable)
  return {
    window,
    reserve,
    usable,
    soft: Math.floor(usable * between(MIN_SOFT_SHARE, own.soft ?? SOFT_SHARE, 1)),
    hard: usable,
    maxOutput,
    tail: between(0, tail, Math.floor(usable * MAX_TAIL_SHARE)),
    tailTurns: own.tail_turns === undefined ? Infinity : Math.max(0, own.tail_turns),
    auto: own.auto ?? true,
    prune: own.prune ?? true,
    cacheTTL: own.cache_ttl_ms ?? cacheTTL ?? CACHE_TTL_MS,
  }
}

/**
 * Returns the output to request beside an input of this size, so that both fit the window; pass the expected tokens
 * with their margin. At least 1,024, or `maxOutput` if that is less: an input without room for it does not fit, and
 * shrinking the answer would only hide that.
 */
export function clampOutput(maxOutput: number, window: number, expectedInput: number): number {
  return Math.max(Math.min(MIN_OUTPUT_TOKENS, maxOutput), Math.min(maxOutput, Math.floor(window - expectedInput)))
}

function defaultReserve(input: number, maxOutput: number): number {
  return Math.min(MAX_RESERVE, maxOutput, Math.floor(input * RESERVED_SHARE))
}

function defaultTail(usable: number): number {
  return Math.min(MAX_TAIL, Math.max(MIN_TAIL, Math.floor(usable * TAIL_SHARE)))
}

function between(least: number, value: number, most: number): number {
  return Math.min(most, Math.max(least, value))
}

/** Maximum share of the usable window, and of the request, after a rung of the compaction ladder. */
export const SHARE_OF_USABLE = 0.7

/** Returns whether a rung can make room at all: the fixed part stays. */
export function canMakeRoom(fixed: number, usable: number): boolean {
  return fixed <= usable * SHARE_OF_USABLE
}
