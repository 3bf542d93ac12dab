/** A call as far as repetition is concerned: two with the same tool and key are the same call. */
export interface Call {
  readonly tool: string
  /** Canonical arguments or what the tool takes for them; readable, at most some hundred characters. */
  readonly key: string
  /** Repeating it is how one waits. */
  readonly pollable?: boolean
  /** The answer that made it. Calls of one answer run side by side: none has seen another's result. */
  readonly reply?: string
}

/** The same block of calls is about to run once more. */
export interface CallRepetition {
  readonly kind: "calls"
  /** The calls of one repetition, in their order. */
  readonly block: readonly Call[]
  /** Repetitions, the one about to be completed included. */
  readonly times: number
  /**
   * `unchanged`: the results stay the same. `changing`: they differ, but there is no end to it. `waiting`: a poll that
   * has long been answering the same. `one-reply`: all of them in a single answer.
   */
  readonly reason: "unchanged" | "changing" | "waiting" | "one-reply"
  /** The model has been told of this block in this turn. */
  readonly nudged: boolean
}

/** An answer that is being written ends with the same text over and over. */
export interface TextRepetition {
  readonly kind: "text"
  readonly chunk: string
  readonly times: number
}

/** Whole answers of a turn are the same. */
export interface AnswerRepetition {
  readonly kind: "answers"
  readonly text: string
  readonly times: number
}

export type Repetition = CallRepetition | TextRepetition | AnswerRepetition
