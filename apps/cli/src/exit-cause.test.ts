import { expect, it } from "vitest"
import { blockCause, exitCause } from "./exit-cause.ts"

const stack = (...frames: readonly string[]) => ["Error: x", ...frames.map((frame) => `    at ${frame}`)].join("\n")
const listener = "process.<anonymous> (/pawl/start.ts:1:1)"
const exit = "process.exit (node:internal/process/per_thread:207:13)"
const acme = (text: string) => (text.includes("/acme/") ? "the plugin acme" : undefined)

it.each<[string, string, number, string | undefined]>([
  [
    "a plugin that is known",
    stack(listener, exit, "hook (file:///cache/acme/i%20j.js:3:9)", "call (/pawl/dispatch.ts:7:7)"),
    7,
    "the plugin acme (/cache/acme/i j.js:3) ended this process by process.exit before its work was done.",
  ],
  [
    "code that is not",
    stack(listener, "process.emit (node:events:1:1)", exit, "/else/where.js:3:9"),
    0,
    "code that is not pawl's (/else/where.js:3) ended this process by process.exit before its work was done.",
  ],
  [
    "code of no file",
    stack(listener, exit, "eval (<anonymous>)"),
    1,
    "code that is not pawl's ended this process by process.exit before its work was done.",
  ],
  ["nothing that is left to wait for", stack(listener), 0, expect.stringContaining("something ended this process")],
  ["a crash, which was told", stack(listener), 1, undefined],
])("names %s", (_what, text, code, cause) => {
  expect(exitCause(text, code, [() => undefined, acme])).toEqual(cause)
})

it("names a plugin that blocks the thread, and keeps silent about other code", () => {
  const blocked =
    "\n    at <anonymous>:1:9\n    at RegExp.test (<anonymous>)\n    at hook (file:///cache/acme/index.js:3:9)"
  expect(blockCause(blocked, [acme])).toBe(
    "the plugin acme (/cache/acme/index.js:3) keeps this process busy. Ctrl-C ends it.",
  )
  expect(blockCause(blocked, [() => undefined])).toBeUndefined()
})
