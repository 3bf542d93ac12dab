import { expect, it } from "vitest"
import { createLog } from "./log.ts"
import { toThreshold } from "./log-level.ts"

function memoryLog() {
  const written: string[] = []
  let time = 0
  const log = createLog({
    toLine: ({ time: at, level, event }) => `${at} ${level} ${event}`,
    append: (directory, text) => void written.push(`${directory}: ${text}`),
    now: () => ++time,
  })
  return { log, written }
}

it("keeps records until it is known where they go, and what of them is wanted", () => {
  const { log, written } = memoryLog()
  log.write("debug", "a")
  log.write("info", "b")
  log.flush()
  expect(written).toEqual([])

  log.settle({ directory: "/d", level: "debug" })
  log.flush()
  log.flush()

  expect(written).toEqual(["/d: 1 debug a\n2 info b\n"])
})

it.each([
  { chosen: undefined, configured: undefined, events: ["info", "warn", "error"] },
  { chosen: undefined, configured: "warn", events: ["warn", "error"] },
  { chosen: "error", configured: "debug", events: ["error"] },
  { chosen: "debug", configured: "off", events: ["debug", "info", "warn", "error"] },
  { chosen: "off", configured: "debug", events: [] },
] as const)("with $chosen over $configured has $events", ({ chosen, configured, events }) => {
  const { log, written } = memoryLog()
  log.choose(chosen)
  for (const level of ["debug", "info", "warn", "error"] as const) log.write(level, level)
  log.settle({ directory: "/d", level: configured })
  log.flush()

  const found = written.join("").split("\n").filter(Boolean)
  expect(found.map((line) => line.split(" ").at(-1))).toEqual(events)
})

it("tells listeners at once, whatever is written, and makes no facts that nobody wants", () => {
  const { log } = memoryLog()
  const heard: string[] = []
  let made = 0
  const facts = () => ({ made: ++made })
  log.choose("off")
  log.write("info", "before", facts)
  log.listen("info", (line, { facts: given }) => void heard.push(`${line} ${JSON.stringify(given)}`))
  log.write("debug", "too low", facts)
  log.write("info", "heard", facts)

  expect({ heard, made }).toEqual({ heard: ['1 info heard {"made":1}'], made: 1 })
})

it.each([
  ["debug", "debug"],
  ["off", "off"],
  ["", undefined],
  ["INFO", undefined],
  [undefined, undefined],
])("takes %j for the level %j", (written, level) => {
  expect(toThreshold(written)).toBe(level)
})
