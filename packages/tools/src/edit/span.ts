/** Part of a text from `start` up to but not including `end`. */
export interface Span {
  readonly start: number
  readonly end: number
}
