/** A difference between a replay and its recording. */
export interface Difference {
  readonly kind: "request" | "result" | "end" | "answer" | "missing" | "unplayed"
  /** In the recording: `s1`, `s2`. */
  readonly session: string
  /** Step of the session, counted from 1. Absent for a difference of the whole session. */
  readonly step?: number
  /** Line of the recording that has the expected value. */
  readonly line?: number
  /** For people: `message 4 (tool), part 2`. */
  readonly place: string
  /** Absent where there is nothing on that side. */
  readonly expected?: string | undefined
  readonly got?: string | undefined
}

/** The result of a replay. */
export interface Verdict {
  /** The first is where it began. */
  readonly differences: readonly Difference[]
  readonly steps: number
  readonly calls: number
  /** Requests that could be compared, of all that were made. */
  readonly compared: number
  readonly requests: number
  /** The recording ends before the work does. */
  readonly isOpenEnded: boolean
  readonly answer: string
}
