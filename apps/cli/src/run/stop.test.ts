import { expect, it } from "vitest"
import { testHost } from "../../test/host.ts"
import { listenForStop, stopCode } from "./stop.ts"

it("asks the run to stop at the first signal, and ends the process at the second", () => {
  const host = testHost()
  let time = 1000
  const stop = listenForStop(host, () => time)

  host.send("SIGINT")
  expect(stop.signal.reason).toBe("SIGINT")
  time += 300
  host.send("SIGTERM")

  expect(host.exits).toEqual([143])
})

it("takes one key press that arrives twice for one", () => {
  const host = testHost()
  let time = 1000
  const stop = listenForStop(host, () => time)

  host.send("SIGINT")
  time += 20
  stop.interrupt()

  expect(host.exits).toEqual([])
})

it("hears nothing more once it was disposed", () => {
  const host = testHost()
  const stop = listenForStop(host, () => 0)

  stop.dispose()
  host.send("SIGINT")

  expect(stop.signal.aborted).toBe(false)
})

it.each([
  ["EPIPE", "reader gone"],
  ["ENOSPC", "output failed"],
])("stops when the output ends with %s: %s", (code, reason) => {
  const gone = new AbortController()
  const host = testHost()
  const stop = listenForStop({ ...host, stdout: { ...host.stdout, gone: gone.signal } }, () => 0)

  gone.abort(Object.assign(new Error("write failed"), { code }))

  expect(stop.signal.reason).toBe(reason)
})

it.each([
  ["SIGINT", 130],
  ["SIGTERM", 143],
  ["SIGHUP", 143],
  ["reader gone", 130],
  ["output failed", 1],
] as const)("ends with its exit code: %s with %i", (reason, code) => {
  expect(stopCode(reason)).toBe(code)
})
