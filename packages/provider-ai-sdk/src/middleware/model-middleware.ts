/** A middleware of the AI SDK by its name, as in `extractReasoningMiddleware`, with its options. */
export type ModelMiddleware =
  /** Converts tagged text, as in `<think>…</think>`, to reasoning. */
  | {
      readonly name: "extractReasoning"
      /** Without brackets, or both tags in full. Default: `think`. */
      readonly tagName?: string | { readonly opening: string; readonly closing: string } | undefined
      /** Between pieces of reasoning, and between pieces of text. Default: a line break. */
      readonly separator?: string | undefined
      /** The answer begins inside the tag, as with chat templates that write the opening tag themselves. */
      readonly startWithReasoning?: boolean | undefined
    }
  /** Removes a code fence around the text. */
  | { readonly name: "extractJson" }
  /** Requests the complete answer at once, for a server that cannot stream. */
  | { readonly name: "simulateStreaming" }
  /** Default settings of each request. */
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
