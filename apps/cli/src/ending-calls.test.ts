import { expect, it } from "vitest"
import { createEndingCalls, type EndingCall, type EndingFunctions } from "./ending-calls.ts"

class Ended extends Error {}

/** A process that only notes what would end it. */
function watched() {
  const done: string[] = []
  const reported: EndingCall[] = []
  const note = (text: string): never => {
    done.push(text)
    throw new Ended(text)
  }
  const target: EndingFunctions = {
    pid: 42,
    exit: (code) => note(`exit ${String(code)}`),
    reallyExit: (code) => note(`reallyExit ${String(code)}`),
    abort: () => note("abort"),
    kill(id, signal) {
      done.push(`kill ${id} ${String(signal)}`)
      return true
    },
  }
  const calls = createEndingCalls(target, (call) => {
    reported.push(call)
    return 1
  })
  calls.watch()
  return { target, calls, done, reported }
}

it.each<[string, (target: EndingFunctions) => unknown]>([
  ["process.exit", ({ exit }) => exit(0)],
  ["process.exit", ({ exit }) => exit("7")],
  ["process.reallyExit", ({ reallyExit }) => reallyExit(0)],
  ["process.abort", ({ abort }) => abort()],
  ["process.kill", ({ kill }) => kill(42)],
  ["process.kill", ({ kill }) => kill(42, 9)],
  ["process.kill", ({ kill }) => kill(0, "SIGSTOP")],
  ["process.kill", ({ kill }) => kill(-42, "SIGKILL")],
])("reports a call of %s with its place, and ends with the code of the report", (name, end) => {
  const { target, done, reported } = watched()

  expect(() => end(target)).toThrow(Ended)

  expect(done).toEqual(["exit 1"])
  expect(reported).toMatchObject([{ name }])
  expect(reported[0]?.stack.split("\n")[1]).toContain("ending-calls.test.ts")
})

it.each<[pid: number, signal: string | number]>([
  [42, 0],
  [42, "SIGCONT"],
  [42, "SIGWINCH"],
  [42, "SIGNONE"],
  [7, "SIGKILL"],
  [-7, "SIGTERM"],
])("lets a signal through that does not end this process: %s %s", (pid, signal) => {
  const { target, done, reported } = watched()

  expect(target.kill(pid, signal)).toBe(true)

  expect(done).toEqual([`kill ${pid} ${signal}`])
  expect(reported).toEqual([])
})

it("ends the process for pawl with its own code, and reports nothing", () => {
  const { target, calls, done, reported } = watched()

  expect(() => calls.exit(3)).toThrow(Ended)
  // Node's own function calls it last.
  expect(() => target.reallyExit(3)).toThrow(Ended)

  expect(done).toEqual(["exit 3", "reallyExit 3"])
  expect(reported).toEqual([])
})

it("reports the first call alone: listeners to the exit may end the process again", () => {
  const { target, reported } = watched()

  expect(() => target.exit(0)).toThrow(Ended)
  expect(() => target.abort()).toThrow(Ended)

  expect(reported).toMatchObject([{ name: "process.exit" }])
})
