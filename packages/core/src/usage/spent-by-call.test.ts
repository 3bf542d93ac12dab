import { expect, it } from "vitest"
import type { AssistantMessage, MessageWithParts, Part } from "../record/message.ts"
import { spentByCall } from "./spent-by-call.ts"

const owner = { sessionID: "ses_1", messageID: "msg_1" } as const
const tokens = { input: 90, output: 12, reasoning: 0, cache: { read: 6, write: 0 } }
const own = { input: 30, output: 3, reasoning: 0, cache: { read: 0, write: 0 } }

function message(parts: readonly object[]): MessageWithParts {
  const info = { id: "msg_1", role: "assistant", cost: 0.9, tokens, requests: 4, time: { created: 1 } }
  const whole = parts.map((part, at) => ({ ...owner, id: `prt_${at}`, ...part }) as unknown as Part)
  return { info: info as unknown as AssistantMessage, parts: whole }
}

const call = (callID: string, tool: string) => ({ type: "tool", callID, tool, state: { status: "pending" } })
const asked = { type: "usage", purpose: "tool", callID: "b", requests: 1, cost: 0.3, tokens: own }

it("gives a call what it had a model say, and an equal share of the rest", () => {
  const spent = spentByCall(message([call("a", "read"), call("b", "wonder"), asked, call("c", "read")]))
  expect(
    spent.map(({ call: { tool }, spent: { requests, cost, tokens: each } }) => [tool, requests, cost, each.input]),
  ).toEqual([
    ["read", 1, expect.closeTo(0.2, 12), 20],
    ["wonder", 2, expect.closeTo(0.5, 12), 50],
    ["read", 1, expect.closeTo(0.2, 12), 20],
  ])
})

it("divides what was estimated like the rest", () => {
  const of = message([call("a", "read"), call("b", "wonder"), { ...asked, estimated: { tokens: 3, cost: 0.3 } }])
  const info = { ...of.info, estimated: { tokens: 9, cost: 0.5 } } as AssistantMessage
  expect(spentByCall({ ...of, info }).map(({ spent }) => spent.estimated)).toEqual([
    { tokens: 3, cost: expect.closeTo(0.1, 12) as number },
    { tokens: 6, cost: expect.closeTo(0.4, 12) as number },
  ])
})

it("is empty where no call was made", () => {
  expect(spentByCall(message([]))).toEqual([])
})
