import type { Conversation } from "./conversation.ts"
import type { RequestLog } from "./request-log.ts"
import type { Summarizer } from "./summarizer.ts"

/** Input of all algorithms that keep a context within its window. */
export interface Play {
  readonly conversation: Conversation
  readonly limits: Limits
  readonly summarizer: Summarizer
  readonly log: RequestLog
}

/** In tokens. */
export interface Limits {
  readonly window: number
  /** Maximum of one answer, which is reserved in the window. */
  readonly output: number
}

export function usable({ window, output }: Limits): number {
  return window - output
}
