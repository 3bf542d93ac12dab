import { expect, it } from "vitest"
import { capturedOutput } from "../../test/host.ts"
import { assistantMessage, doneCall, event, part, userMessage } from "../../test/parts.ts"
import { jsonLines } from "../../test/workplace.ts"
import { createJSONView } from "./json-view.ts"

it("has a line of its own for what happens beside the work", () => {
  const stdout = capturedOutput()
  const view = createJSONView({ stdout, stderr: capturedOutput(), now: () => 7 })
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

it("tells of subagents what they ask and what they were refused, and nothing else", () => {
  const stdout = capturedOutput()
  const view = createJSONView({ stdout, stderr: capturedOutput(), now: () => 7 })
  const subagent = { sessionID: "ses_2", name: "explore" }
  const of = { sessionID: "ses_2", rootSessionID: "ses_1" } as const
  const { info } = assistantMessage()
  const data = { message: "No.", permission: "bash", pattern: "rm x", tool: "bash" }
  const refused = { ...info, error: { name: "PermissionDeniedError", data } } as const

  view.handle(event("message.part.updated", { sessionID: "ses_2", part: doneCall("list", {}), time: 0 }), subagent)
  view.handle(event("permission.replied", { ...of, requestID: "prt_1", reply: "once" }), subagent)
  view.handle(event("message.updated", { sessionID: "ses_2", info: refused }), subagent)

  expect(jsonLines(stdout.text())).toEqual([
    { type: "permission_replied", timestamp: 7, ...of, requestID: "prt_1", reply: "once" },
    { type: "permission_refused", timestamp: 7, sessionID: "ses_2", messageID: info.id, ...data },
  ])
})

it("has a line for a prompt that was left for another process, and for one that came from elsewhere", () => {
  const stdout = capturedOutput()
  const view = createJSONView({ stdout, stderr: capturedOutput(), now: () => 7 })
  const { info } = userMessage()
  const delivered = { ...info, role: "user", delivery: { mode: "steer", state: "delivered" } } as typeof info
  const text = part({ type: "text", text: "stop that" })

  view.queued({ sessionID: "ses_1", messageID: "msg_9", mode: "queue" })
  view.handle(event("message.updated", { sessionID: "ses_1", info: delivered }))
  view.handle(event("message.part.updated", { sessionID: "ses_1", part: text, time: 0 }))

  expect(jsonLines(stdout.text())).toEqual([
    { type: "queued", timestamp: 7, sessionID: "ses_1", messageID: "msg_9", mode: "queue" },
    { type: "delivered", timestamp: 7, sessionID: "ses_1", mode: "steer", part: text },
  ])
})

it("says with each step which model and variant answers, and what it thought where somebody asks for it", () => {
  const [plain, telling] = [capturedOutput(), capturedOutput()]
  const { info } = assistantMessage()
  const asked = { ...info, variant: "high" } as typeof info
  const [start, thought] = [
    part({ type: "step-start" }),
    part({ type: "reasoning", text: "Hm.", time: { start: 0, end: 1 } }),
  ]
  for (const [stdout, showsThinking] of [
    [plain, false],
    [telling, true],
  ] as const) {
    const view = createJSONView({ stdout, stderr: capturedOutput(), now: () => 7, showsThinking })
    view.handle(event("message.updated", { sessionID: "ses_1", info: asked }))
    for (const each of [start, thought])
      view.handle(event("message.part.updated", { sessionID: "ses_1", part: each, time: 0 }))
  }

  const { providerID, modelID } = info as { providerID: string; modelID: string }
  const begun = {
    type: "step_start",
    timestamp: 7,
    sessionID: "ses_1",
    part: start,
    model: `${providerID}/${modelID}`,
    variant: "high",
  }
  expect(jsonLines(plain.text())).toEqual([begun])
  expect(jsonLines(telling.text())).toEqual([
    begun,
    { type: "reasoning", timestamp: 7, sessionID: "ses_1", part: thought },
  ])
})
