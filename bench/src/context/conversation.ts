import type { JSONObject } from "@pawl/core/record"

/** Directory of the project in the conversations. It need not exist, because nothing is read. */
export const PROJECT = "/project"

export const factKinds = [
  "request",
  "instruction",
  "decision",
  "path",
  "failing test",
  "open task",
  "pinned note",
  "error",
] as const

export type FactKind = (typeof factKinds)[number]

/** A point in time. The n-th answer of the agent, from 0, is requested at 2n. Its content is known from 2n + 1. */
export type Moment = number

/** A statement that occurs once and that the agent must remember while it is valid. */
export interface Fact {
  readonly kind: FactKind
  /**
   * Occurs nowhere else in the conversation. Contains only letters, digits, spaces and `_-./#`, which JSON does not
   * escape.
   */
  readonly key: string
  /** The fact in another form, as a regular expression for the request's JSON. */
  readonly equivalent?: string
  readonly from: Moment
  /** The fact is valid before this moment. Default: valid to the end. */
  readonly until?: Moment
}

export interface Conversation {
  readonly turns: readonly Turn[]
  readonly facts: readonly Fact[]
}

export interface Turn {
  readonly prompt: string
  /** Part of the prompt that the user also pins, if pins are supported. */
  readonly pin?: string
  /** The agent's texts and calls. The last answer has no calls. */
  readonly answers: readonly Answer[]
}

export interface Answer {
  /** May be empty if there are calls. */
  readonly text: string
  readonly calls: readonly Call[]
}

export interface Call {
  readonly id: string
  readonly tool: string
  readonly input: JSONObject
  readonly result:
    | { readonly output: string; readonly metadata: JSONObject; readonly error?: undefined }
    | { readonly error: string }
}
