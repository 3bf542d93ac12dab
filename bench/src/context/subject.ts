import type { Conversation } from "./conversation.ts"
import type { RequestLog } from "./request-log.ts"
import type { Summarizer } from "./summarizer.ts"

/** What all ways to keep a context within its window are given. */
export interface Play {
  readonly conversation: Conversation
  readonly limits: Limits
  readonly summarizer: Summarizer
  readonly log: RequestLog
}

/** Tokens. */
export interface Limits {
  readonly window: number
  /** Of one answer, and kept free of input. */
  readonly output: number
}

export function usable({ window, output }: Limits): number {
  return window - output
}
