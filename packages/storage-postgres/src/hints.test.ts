import type { SessionID } from "@pawl/core/storage"
import { expect, it } from "vitest"
import { changedSessions, channelOf, toPayloads } from "./hints.ts"

const changes = (count: number, prefix = "ses_") =>
  new Map(Array.from({ length: count }, (_, index): [SessionID, number] => [`${prefix}${index}` as SessionID, index]))

it("tells others of every session, in pieces that PostgreSQL takes", () => {
  const payloads = toPayloads("here", changes(2000))
  expect(payloads.length).toBeGreaterThan(1)
  for (const payload of payloads) expect(Buffer.byteLength(payload)).toBeLessThan(8000)
  expect(payloads.flatMap((payload) => changedSessions(payload, "there"))).toEqual([...changes(2000).keys()])
})

it("tells itself of nothing", () => {
  expect(changedSessions(toPayloads("here", changes(3))[0] ?? "", "here")).toEqual([])
})

it("tells of names with spaces, lines and lone surrogates", () => {
  const odd = changes(2, "ses_ a\n\ud800 ")
  expect(changedSessions(toPayloads("here", odd)[0] ?? "", "there")).toEqual([...odd.keys()])
})

it("takes what it does not understand for a change of anything", () => {
  expect(changedSessions("there\nses_1 7", "here")).toBeUndefined()
})

it("says that something changed where a name is too long to be told", () => {
  const [payload = ""] = toPayloads("here", changes(1, `ses_${"x".repeat(9000)}`))
  expect(changedSessions(payload, "there")).toBeUndefined()
})

it.each(["é".repeat(31), "x".repeat(63), "😀".repeat(15)])("names a channel for %s that PostgreSQL takes", (schema) => {
  expect(Buffer.byteLength(channelOf(schema))).toBeLessThan(64)
  expect(channelOf("pawl")).toBe("pawl:pawl")
})
