import type { JSONObject } from "@pawl/core/record"

/** Where the project lies that the conversations are about. It need not exist: nothing is read. */
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

/**
 * A place in time. The nth answer of the agent, from 0, is asked for at 2n, and what it says and does is known from
 * 2n + 1 on.
 */
export type Moment = number

/** Something that is said once, and that the agent has to know for as long as it holds. */
export interface Fact {
  readonly kind: FactKind
  /** Stands in no other place of the conversation. Letters, digits, spaces and `_-./#` alone, which JSON leaves as they are. */
  readonly key: string
  /** The same in another form, as a regular expression on the request's JSON. */
  readonly equivalent?: string
  readonly from: Moment
  /** No longer holds from here on; absent: holds to the end. */
  readonly until?: Moment
}

export interface Conversation {
  readonly turns: readonly Turn[]
  readonly facts: readonly Fact[]
}

export interface Turn {
  readonly prompt: string
  /** A part of the prompt that the user pins as well, where there are pins. */
  readonly pin?: string
  /** What the agent says and does; the last has no calls. */
  readonly answers: readonly Answer[]
}

export interface Answer {
  /** May be empty where there are calls. */
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
