/** Where a replay went another way than its recording. */
export interface Difference {
  readonly kind: "request" | "result" | "end" | "answer" | "missing" | "unplayed"
  /** In the recording: `s1`, `s2`. */
  readonly session: string
  /** Of the session, from 1; absent for what is about all of it. */
  readonly step?: number
  /** Of the recording's file, where one line says what was expected. */
  readonly line?: number
  /** For people: `message 4 (tool), part 2`. */
  readonly place: string
  /** Absent where there is nothing on that side. */
  readonly expected?: string | undefined
  readonly got?: string | undefined
}

/** What a replay came to. */
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
