import { expect, it } from "vitest"
import { paper } from "../../test/host.ts"
import { event } from "../../test/parts.ts"
import { jsonLines } from "../../test/workplace.ts"
import { createJSONView } from "./json-view.ts"

it("has a line of its own for what happens beside the work", () => {
  const stdout = paper()
  const view = createJSONView({ stdout, stderr: paper(), now: () => 7 })
  const sessionID = "ses_1"

  view.handle(event("session.compacting", { sessionID, auto: true, background: true }))
  const sizes = { before: 9000, after: 3000, cost: 0.01 }
  view.handle(event("session.compacted", { sessionID, auto: true, strategy: "summary", ...sizes, dropped: ["msg_1"] }))
  const bust = { reason: "tools", firstChangedBlock: "tools", owner: "plugin audit" } as const
  view.handle(event("cache.bust", { sessionID, ...bust }))
  view.handle(event("session.notice", { sessionID, message: "Instructions were not read." }))
  view.handle(event("session.idle", { sessionID }))

  const about = { timestamp: 7, sessionID }
  expect(jsonLines(stdout.text())).toEqual([
    { type: "compacting", ...about, auto: true, background: true },
    { type: "compacted", ...about, auto: true, strategy: "summary", ...sizes, dropped: ["msg_1"] },
    { type: "cache_bust", ...about, ...bust },
    { type: "notice", ...about, message: "Instructions were not read." },
  ])
})
