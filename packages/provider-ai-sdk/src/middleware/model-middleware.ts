/** A middleware of the AI SDK by its name, as in `extractReasoningMiddleware`, with its options. */
export type ModelMiddleware =
  /** Turns a part of the text into reasoning: `<think>…</think>`, or what `tagName` names. */
  | {
      readonly name: "extractReasoning"
      /** Without brackets, or both marks as they are written. Default: `think`. */
      readonly tagName?: string | { readonly opening: string; readonly closing: string } | undefined
      /** Between two pieces of reasoning, and of text. Default: a line break. */
      readonly separator?: string | undefined
      /** The answer begins inside the tag, as with chat templates that write the opening one themselves. */
      readonly startWithReasoning?: boolean | undefined
    }
  /** Removes a code fence around the text. */
  | { readonly name: "extractJson" }
  /** Asks for the whole answer at once, of a server that cannot stream. */
  | { readonly name: "simulateStreaming" }
  /** Settings of each request that does not say otherwise. */
  | { readonly name: "defaultSettings"; readonly settings: DefaultSettings }

export interface DefaultSettings {
  readonly temperature?: number | undefined
  readonly topP?: number | undefined
  readonly topK?: number | undefined
  readonly presencePenalty?: number | undefined
  readonly frequencyPenalty?: number | undefined
  readonly seed?: number | undefined
  readonly stopSequences?: readonly string[] | undefined
}
