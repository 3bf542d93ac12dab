import { expect, it } from "vitest"
import { sharedPrefix } from "./request.ts"
import { createRequestLog } from "./request-log.ts"

it("counts the bytes with which two requests begin", () => {
  expect(sharedPrefix(Buffer.from("abcd"), Buffer.from("abxy"))).toBe(2)
  expect(sharedPrefix(Buffer.from("abcd"), Buffer.from("abcdef"))).toBe(4)
  expect(sharedPrefix(Buffer.from("xbcd"), Buffer.from("abcd"))).toBe(0)
  expect(sharedPrefix(Buffer.from(""), Buffer.from("abcd"))).toBe(0)
})

it("counts as reused what the agent's or the summarizer's last request began with", () => {
  const log = createRequestLog()
  log.agent(Buffer.from("abc"), 0)
  log.summarizer(Buffer.from("xy"))
  log.agent(Buffer.from("abcd"), 2)
  log.summarizer(Buffer.from("xyz"))
  expect(log.traffic).toEqual({ requests: 4, summaries: 2, bytes: 12, reused: 5 })
})

it("keeps the first request of the agent after each compaction", () => {
  const log = createRequestLog()
  log.agent(Buffer.from("before"), 0)
  log.compacted()
  log.summarizer(Buffer.from("summary"))
  log.agent(Buffer.from("after"), 2)
  log.agent(Buffer.from("later"), 4)
  expect([...log.snapshots]).toEqual([[1, { text: "after", moment: 2 }]])
})

it("keeps those of given moments where nothing is compacted", () => {
  const log = createRequestLog(new Map([[3, 2]]))
  log.agent(Buffer.from("a"), 0)
  log.agent(Buffer.from("b"), 2)
  expect([...log.snapshots]).toEqual([[3, { text: "b", moment: 2 }]])
})
