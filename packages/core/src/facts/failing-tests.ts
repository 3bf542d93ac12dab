import type { JSONObject, JSONValue } from "../base/json.ts"
import { oneLine } from "./command-text.ts"
import { endOf, linesOf } from "./output-lines.ts"
import { testRunners } from "./test-runners.ts"

export interface TestRun {
  readonly isFailed: boolean
  /** Names of tests that failed, each once, in order, on one line each; empty where the output shows none. */
  readonly failing: readonly string[]
}

const MOST_NAMES = 20
const LONGEST_NAME = 200

/** Without one of these words no runner says that anything failed: most outputs need no second look. */
const FAILURE = /fail|error|not ok/i

/**
 * What an output tells of the tests that it ran; undefined where it tells of none. An exit code of 0 alone says nothing
 * against failed tests, because of `npm test | tail`; but with it, or without a line that says that the run failed, fewer
 * words are believed. `exit` is absent for a command that did not end.
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
      if (run.names.size >= MOST_NAMES) continue
      const name = run.read(line)?.trim()
      if (name) run.names.add(name.slice(0, LONGEST_NAME).toWellFormed())
    }
  }
  const failed = runs.filter(({ isFailed }) => isFailed)
  const believed = failed.length > 0 || exit === 0 ? failed : runs.filter(({ runner }) => runner.isUnmistakable)
  const failing = [...new Set(believed.flatMap(({ names }) => [...names]))].slice(0, MOST_NAMES)
  if (failed.length > 0 || failing.length > 0) return { isFailed: true, failing }
  return exit === 0 ? { isFailed: false, failing: [] } : undefined
}

/** A test run as a tool tells of it in its metadata; undefined where it is of another shape. */
export function toldRun(value: JSONValue | undefined): TestRun | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined
  const { isFailed, failing } = value as JSONObject
  if (typeof isFailed !== "boolean") return undefined
  const given: readonly unknown[] = isFailed && Array.isArray(failing) ? failing : []
  const names = given.flatMap((name) => (typeof name === "string" ? [oneLine(name).slice(0, LONGEST_NAME)] : []))
  const kept = new Set(names.map((name) => name.toWellFormed()).filter((name) => name !== ""))
  return { isFailed, failing: [...kept].slice(0, MOST_NAMES) }
}
