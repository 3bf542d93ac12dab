import { SHARE_OF_USABLE } from "../../measure/overflow-policy.ts"

/** Model calls that compactions may make between two good answers of the agent. */
export const MOST_CALLS = 3

/** Times in a row that a hook may skip a compaction. */
export const MOST_SKIPS = 3

const SHARE_OF_REQUEST = 0.8

/** A summarizer's call may send this part of its window. */
const SHARE_OF_WINDOW = 0.7

/** What the question for a summary takes behind the conversation, in tokens. */
export const INSTRUCTION_TOKENS = 700

/** What is sent to a summarizer whose window is not known, in tokens. */
const UNKNOWN_WINDOW = 100_000

/** Whether a rung has made room: `after` and `before` are the next request's tokens. */
export function madeRoom(before: number, after: number, usable: number): boolean {
  return after <= usable * SHARE_OF_USABLE && after <= before * SHARE_OF_REQUEST
}

/** Tokens that a summary may take. */
export function summaryBudget(usable: number): number {
  return Math.round(Math.min(6000, Math.max(400, usable * 0.08)))
}

/** Tokens that one call of a summarizer may send. */
export function callLimit(window: number): number {
  return Math.floor((window > 0 && Number.isFinite(window) ? window : UNKNOWN_WINDOW) * SHARE_OF_WINDOW)
}

/** Tokens that may stay word for word beside what stays in any case. The rest is room for the state and for work. */
export function roomForTail(fixed: number, usable: number): number {
  return Math.max(0, Math.min(usable * 0.4, (usable * SHARE_OF_USABLE - fixed) * 0.9))
}

/** Part of what is usable that the state beside a summary may take. */
const SHARE_OF_STATE = 0.15

/**
 * Tokens that the state may take, without the open requests. `beside`: everything else that the next request holds.
 * `isLastResort`: nothing is left to take away, and the request may fill `MAX_LAST_SHARE`.
 */
export function stateBudget(beside: number, usable: number, isLastResort: boolean): number {
  const share = isLastResort ? MAX_LAST_SHARE : SHARE_OF_USABLE
  // Messages have frames of their own.
  const room = (usable * share - beside) * 0.95
  return Math.floor(Math.max(0, Math.min(usable * SHARE_OF_STATE, room)))
}

/** Of what is usable, if even the open request had to be shortened. */
export const MAX_LAST_SHARE = 0.9
