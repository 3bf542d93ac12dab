import type { ModelInfo } from "../contracts/model.ts"
import type { ModelRef } from "../record/message.ts"
import { type CompactionSettings, settingsFor } from "./compaction-settings.ts"

/** What fits a model. All numbers are tokens, Infinity where the model's window is not known. */
export interface OverflowPolicy {
  /** Of input and output together. */
  readonly window: number
  /** Kept free of input. */
  readonly reserve: number
  /** Input that may be sent: the window, or the model's own limit of input, without the reserve. */
  readonly usable: number
  /** From here on a summary is prepared. */
  readonly soft: number
  /** From here on the context has to shrink. */
  readonly hard: number
  /** Output that is asked for at most. */
  readonly maxOutput: number
  /** What the newest turns may take that stay word for word. */
  readonly tail: number
  /** Turns of the tail; Infinity where only their size counts. */
  readonly tailTurns: number
  readonly auto: boolean
  readonly prune: boolean
  /** Milliseconds for which a provider is taken to keep its cache. */
  readonly cacheTTL: number
}

const LONGEST_OUTPUT = 32_000
const LARGEST_RESERVE = 20_000
const RESERVED_SHARE = 0.2
const SOFT_SHARE = 0.9
const LEAST_SOFT_SHARE = 0.1
const SMALLEST_TAIL = 2_000
const LARGEST_TAIL = 15_000
const TAIL_SHARE = 0.25
/** A longer tail would leave a compaction nothing to take away. */
const LARGEST_TAIL_SHARE = 0.4
const CACHE_TTL = 5 * 60_000
/** An answer needs room for a call and its arguments. */
export const LEAST_OUTPUT = 1_024

/** The limits of a model under these settings. A reserve is never more than half of the window. */
export function overflowPolicy(
  { limit, cacheTTL }: Pick<ModelInfo, "limit" | "cacheTTL">,
  ref: ModelRef,
  settings: CompactionSettings,
): OverflowPolicy {
  const own = settingsFor(settings, ref)
  const window = limit.context > 0 ? limit.context : Infinity
  const input = Math.min(window, limit.input && limit.input > 0 ? limit.input : Infinity)
  const maxOutput = limit.output > 0 ? Math.min(limit.output, LONGEST_OUTPUT) : LONGEST_OUTPUT
  const reserve = between(0, own.reserved ?? defaultReserve(input, maxOutput), Math.floor(input / 2))
  const usable = input - reserve
  const tail = own.preserve_recent_tokens ?? defaultTail(usable)
  return {
    window,
    reserve,
    usable,
    soft: Math.floor(usable * between(LEAST_SOFT_SHARE, own.soft ?? SOFT_SHARE, 1)),
    hard: usable,
    maxOutput,
    tail: between(0, tail, Math.floor(usable * LARGEST_TAIL_SHARE)),
    tailTurns: own.tail_turns === undefined ? Infinity : Math.max(0, own.tail_turns),
    auto: own.auto ?? true,
    prune: own.prune ?? true,
    cacheTTL: own.cache_ttl_ms ?? cacheTTL ?? CACHE_TTL,
  }
}

/**
 * Output to ask for beside an input of this size, so that both fit the window; pass the expected tokens with their
 * margin. Never less than 1,024, or all of `maxOutput` where that is less: an input that leaves no room for it does not
 * fit, and shrinking the answer would only hide that.
 */
export function clampOutput(maxOutput: number, window: number, expectedInput: number): number {
  return Math.max(Math.min(LEAST_OUTPUT, maxOutput), Math.min(maxOutput, Math.floor(window - expectedInput)))
}

function defaultReserve(input: number, maxOutput: number): number {
  return Math.min(LARGEST_RESERVE, maxOutput, Math.floor(input * RESERVED_SHARE))
}

function defaultTail(usable: number): number {
  return Math.min(LARGEST_TAIL, Math.max(SMALLEST_TAIL, Math.floor(usable * TAIL_SHARE)))
}

function between(least: number, value: number, most: number): number {
  return Math.min(most, Math.max(least, value))
}

/** What a rung must leave of the usable window, and of the request. */
export const SHARE_OF_USABLE = 0.7

/** Whether a rung can make room at all: what is fixed stays. */
export function canMakeRoom(fixed: number, usable: number): boolean {
  return fixed <= usable * SHARE_OF_USABLE
}
