import { SHARE_OF_USABLE } from "../../measure/overflow-policy.ts"

/** Maximum model calls of compactions between two good answers of the agent. */
export const MAX_CALLS = 3

/** Maximum compactions in a row that a hook may skip. */
export const MAX_SKIPS = 3

const SHARE_OF_REQUEST = 0.8

/** Part of the summarizer's window that a call may fill. */
const SHARE_OF_WINDOW = 0.7

/** Tokens of the request for a summary behind the conversation. */
export const INSTRUCTION_TOKENS = 700

/** Assumed tokens of a window that is not known. */
const DEFAULT_WINDOW_TOKENS = 100_000

/** Returns whether a rung has made room. `before` and `after` are tokens of the next request. */
export function madeRoom(before: number, after: number, usable: number): boolean {
  return after <= usable * SHARE_OF_USABLE && after <= before * SHARE_OF_REQUEST
}

/** Returns the maximum tokens of a summary. */
export function summaryBudget(usable: number): number {
  return Math.round(Math.min(6000, Math.max(400, usable * 0.08)))
}

/** Returns the maximum tokens of a summarizer's call. */
export function callLimit(window: number): number {
  return Math.floor((window > 0 && Number.isFinite(window) ? window : DEFAULT_WINDOW_TOKENS) * SHARE_OF_WINDOW)
}

/**
 * Returns the token budget of messages that stay, beside the `fixed` tokens. Leaves room for the state and for work.
 */
export function roomForTail(fixed: number, usable: number): number {
  return Math.max(0, Math.min(usable * 0.4, (usable * SHARE_OF_USABLE - fixed) * 0.9))
}

/** Part of the usable tokens that the state beside a summary may take. */
const SHARE_OF_STATE = 0.15

/**
 * Returns the token budget of the state, without the open requests. `beside`: tokens of the rest of the next request.
 * `isLastResort`: nothing is left to remove, so the request may fill `MAX_LAST_SHARE`.
 */
export function stateBudget(beside: number, usable: number, isLastResort: boolean): number {
  const share = isLastResort ? MAX_LAST_SHARE : SHARE_OF_USABLE
  // Keep some room for the framing of messages.
  const room = (usable * share - beside) * 0.95
  return Math.floor(Math.max(0, Math.min(usable * SHARE_OF_STATE, room)))
}

/** Maximum part of the usable tokens if even the open request had to be shortened. */
export const MAX_LAST_SHARE = 0.9
