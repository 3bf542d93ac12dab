import type { TestRun } from "@pawl/core/host"
import { endOf, linesOf } from "./output-lines.ts"
import { testRunners } from "./test-runners.ts"

const MAX_NAMES = 20
const MAX_NAME_LENGTH = 200

/** Words of which every runner prints at least one on a failure, to rule out most outputs quickly. */
const FAILURE = /fail|error|not ok/i

/**
 * Returns the test run in an output; undefined if the output shows no test run. Failed tests count despite an exit code
 * of 0, because of `npm test | tail`. But with that code, or without a line that says that the run failed, fewer
 * patterns are trusted. `exit` is missing for a command that did not end.
 */
export function testRun(output: string, exit: number | undefined): TestRun | undefined {
  const runs = testRunners.map((runner) => ({
    runner,
    read: runner.reader(),
    names: new Set<string>(),
    isFailed: false,
  }))
  for (const line of FAILURE.test(endOf(output)) ? linesOf(output) : []) {
    for (const run of runs) {
      run.isFailed ||= run.runner.failed.test(line)
      if (run.names.size >= MAX_NAMES) continue
      const name = run.read(line)?.trim()
      if (name) run.names.add(name.slice(0, MAX_NAME_LENGTH).toWellFormed())
    }
  }
  const failed = runs.filter(({ isFailed }) => isFailed)
  const counting = failed.length > 0 || exit === 0 ? failed : runs.filter(({ runner }) => runner.isUnmistakable)
  const failing = [...new Set(counting.flatMap(({ names }) => [...names]))].slice(0, MAX_NAMES)
  if (failed.length > 0 || failing.length > 0) return { isFailed: true, failing }
  return exit === 0 ? { isFailed: false, failing: [] } : undefined
}
