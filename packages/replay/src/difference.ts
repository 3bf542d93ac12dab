/** A difference between a replay and its recording. */
export interface Difference {
  readonly kind: "request" | "result" | "end" | "answer" | "missing" | "unplayed"
  /** The session's name in the recording: `s1`, `s2`. */
  readonly session: string
  /** Step of the session, counted from 1. Absent if the difference is not about one step. */
  readonly step?: number
  /** Line of the recording that has the expected value. */
  readonly line?: number
  /** For messages: `message 4 (tool), part 2`. */
  readonly place: string
  /** Absent if this side has no value. */
  readonly expected?: string | undefined
  readonly got?: string | undefined
}

/** The result of a replay. */
export interface Verdict {
  /** In order, so the first one is usually the cause of the others. */
  readonly differences: readonly Difference[]
  readonly steps: number
  readonly calls: number
  /** Number of requests that could be compared with a recorded one. */
  readonly compared: number
  readonly requests: number
  /** True if the recording ends before the work does. */
  readonly isOpenEnded: boolean
  readonly answer: string
}
