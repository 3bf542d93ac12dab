export interface TestRun {
  readonly isFailed: boolean
  /** Names of failed tests, each once, in order, on one line each; empty if the output shows no name. */
  readonly failing: readonly string[]
}

/** Finds the facts in outputs that are kept beside a summary. The host supplies it. */
export interface OutputFacts {
  /**
   * Returns the test run in an output; undefined if the output shows no test run. `exit` is missing for a command that
   * did not end by itself.
   */
  testRun(output: string, exit: number | undefined): TestRun | undefined
  /** Returns the first line that names an error, shortened; undefined if no line does. */
  errorLine(output: string): string | undefined
}

/** The facts of an engine whose host supplies no reader: a command that succeeds has no failed tests. */
export const noOutputFacts: OutputFacts = {
  testRun: (_output, exit) => (exit === 0 ? { isFailed: false, failing: [] } : undefined),
  errorLine: () => undefined,
}
