import type { AssistantMessage, MessageWithParts, Part, ToolPart } from "@pawl/core/record"
import { noTokens } from "@pawl/core/record"
import { expect, it } from "vitest"
import { newerMessage } from "./newer-message.ts"

const owner = { id: "prt_2", sessionID: "ses_1", messageID: "msg_2" } as const

function answer(parts: readonly Part[], fields: Partial<AssistantMessage> = {}): MessageWithParts {
  const info: AssistantMessage = {
    ...{ id: "msg_2", sessionID: "ses_1", role: "assistant", parentID: "msg_1", agent: "build", mode: "build" },
    ...{ providerID: "acme", modelID: "large", path: { cwd: "/", root: "/" }, cost: 0, tokens: noTokens },
    ...{ time: { created: 5 }, finish: "stop" },
    ...fields,
  }
  return { info, parts }
}

function marker(prepared: boolean): MessageWithParts {
  const part: Part = { ...owner, messageID: "msg_1", type: "compaction", auto: true, ...(prepared ? { prepared } : {}) }
  const model = { providerID: "acme", modelID: "large" }
  const info = { id: "msg_1", sessionID: "ses_1", role: "user", time: { created: 4 }, agent: "build", model } as const
  return { info, parts: [part] }
}

const words: Part = { ...owner, type: "text", text: "So it is." }

it("shows a summary as a compaction only if it has replaced messages", () => {
  const summary = answer([words], { summary: true })
  expect(newerMessage(summary, marker(false))).toEqual({
    ...{ id: "msg_2", type: "compaction", time: { created: 5 }, reason: "auto", summary: "So it is.", recent: "" },
  })
  const error = { name: "APIError", data: { message: "Overloaded" } }
  const failed = answer([words], { summary: true, error })
  for (const [message, request] of [
    [summary, marker(true)],
    [summary, undefined],
    [failed, marker(false)],
  ] as const) {
    expect(newerMessage(message, request)).toMatchObject({ type: "assistant", content: [{ text: "So it is." }] })
  }
  expect(newerMessage(failed, marker(false))).toMatchObject({ error: { type: "unknown", message: "Overloaded" } })
})

it("shows the input of a call as far as it is known, the files of an output, and when it was cleared", () => {
  const call = (state: ToolPart["state"]) => {
    const part: ToolPart = { ...owner, type: "tool", callID: "call_1", tool: "look", state }
    return (newerMessage(answer([part]), undefined)["content"] as readonly object[])[0]
  }
  const of = { type: "tool", id: "call_1", name: "look" }
  expect(call({ status: "pending", input: {}, raw: '{"a' })).toEqual({
    ...{ ...of, time: { created: 5 }, state: { status: "pending", input: '{"a' } },
  })
  expect(call({ status: "running", input: { a: 1 }, time: { start: 6 } })).toEqual({
    ...{ ...of, time: { created: 5, ran: 6 } },
    state: { status: "running", input: { a: 1 }, structured: {}, content: [] },
  })
  const file = {
    ...owner,
    type: "file" as const,
    mime: "image/png",
    url: "data:image/png;base64,AA",
    filename: "a.png",
  }
  const time = { start: 6, end: 7, compacted: 8 }
  expect(
    call({ status: "completed", input: {}, output: "seen", title: "", metadata: { b: 2 }, attachments: [file], time }),
  ).toEqual({
    ...{ ...of, time: { created: 5, ran: 6, completed: 7, pruned: 8 } },
    state: {
      ...{ status: "completed", input: {}, structured: { b: 2 } },
      content: [
        { type: "text", text: "seen" },
        { type: "file", uri: "data:image/png;base64,AA", mime: "image/png", name: "a.png" },
      ],
    },
  })
})
