/** A text, and the index of a code unit where its caret stands. */
export interface EditedText {
  readonly text: string
  readonly caret: number
}
