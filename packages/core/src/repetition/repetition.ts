/** A call for detecting repetition: two calls with the same tool and key are equal. */
export interface Call {
  readonly tool: string
  /** Canonical arguments, or the tool's own key for them; readable, at most some hundred characters. */
  readonly key: string
  /** Set if repeating the call is a way to wait. */
  readonly pollable?: boolean
  /** The answer that made the call. Calls of one answer run in parallel: no call has read another's result. */
  readonly reply?: string
}

/** A block of calls that is about to be repeated. */
export interface CallRepetition {
  readonly kind: "calls"
  /** The calls of one repetition, in their order. */
  readonly block: readonly Call[]
  /** Number of repetitions, including the one about to be completed. */
  readonly times: number
  /**
   * `unchanged`: the results stay the same. `changing`: they differ, but the block seems endless. `waiting`: a poll
   * whose result has not changed for long. `one-reply`: all calls are in a single answer.
   */
  readonly reason: "unchanged" | "changing" | "waiting" | "one-reply"
  /** True if the model was nudged about this block in this turn. */
  readonly nudged: boolean
}

/** A streaming answer that ends with the same text over and over. */
export interface TextRepetition {
  readonly kind: "text"
  readonly chunk: string
  readonly times: number
}

/** Equal answers of a turn. */
export interface AnswerRepetition {
  readonly kind: "answers"
  readonly text: string
  readonly times: number
}

export type Repetition = CallRepetition | TextRepetition | AnswerRepetition
