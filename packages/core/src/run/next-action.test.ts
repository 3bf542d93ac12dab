import { describe, expect, it } from "vitest"
import type { MessageID } from "../base/ids.ts"
import type { AssistantMessage, MessageWithParts, Part, ToolState, UserMessage } from "../record/message.ts"
import { nextAction } from "./next-action.ts"
import { complete, fail, pending, run } from "../contracts/tool-state.ts"

const sessionID = "ses_1"
const model = { providerID: "acme", modelID: "small" }
const running = run(pending(""), {}, 1)
const completed = complete(running, { title: "", output: "" }, [], 2)
const aborted = { name: "MessageAbortedError", data: { message: "The run was aborted." } }

function user(id: MessageID): MessageWithParts<UserMessage> {
  return { info: { id, sessionID, role: "user", time: { created: 1 }, agent: "build", model }, parts: [] }
}

function assistant(
  id: MessageID,
  parentID: MessageID,
  info: Pick<AssistantMessage, "finish" | "error">,
  ...tools: ToolState[]
): MessageWithParts<AssistantMessage> {
  const tokens = { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } }
  const written = { ...model, agent: "build", mode: "build", path: { cwd: "/", root: "/" }, cost: 0, tokens }
  return {
    info: { id, sessionID, role: "assistant", parentID, time: { created: 1 }, ...written, ...info },
    parts: tools.map((state, n): Part => {
      return { id: `prt_${n}`, sessionID, messageID: id, type: "tool", callID: `call_${n}`, tool: "read", state }
    }),
  }
}

const asked = user("msg_1")

describe("responds", () => {
  it.each<[string, MessageWithParts[], MessageID]>([
    ["to a question without an answer", [asked], "msg_1"],
    ["to the newest of two questions", [asked, user("msg_2")], "msg_2"],
    ["after tool calls", [asked, assistant("msg_2", "msg_1", { finish: "tool-calls" }, completed)], "msg_1"],
    [
      "after failed tool calls",
      [asked, assistant("msg_2", "msg_1", { finish: "tool-calls" }, fail(running, "no", 2))],
      "msg_1",
    ],
    ["after an answer that was cut off", [asked, assistant("msg_2", "msg_1", {})], "msg_1"],
    [
      "after an answer that broke off after its tools",
      [asked, assistant("msg_2", "msg_1", { finish: "unknown" }, completed)],
      "msg_1",
    ],
    [
      "while a call of a finished answer runs",
      [asked, assistant("msg_2", "msg_1", { finish: "stop" }, running)],
      "msg_1",
    ],
    [
      "while a call of a finished answer waits",
      [asked, assistant("msg_2", "msg_1", { finish: "stop" }, pending(""))],
      "msg_1",
    ],
    [
      "to a question that came after an answer",
      [asked, assistant("msg_2", "msg_1", { finish: "stop" }), user("msg_3")],
      "msg_3",
    ],
    [
      "to a question that came during an answer",
      [asked, user("msg_2"), assistant("msg_3", "msg_1", { finish: "stop" })],
      "msg_2",
    ],
    ["to a question after an error", [asked, assistant("msg_2", "msg_1", { error: aborted }), user("msg_3")], "msg_3"],
    [
      "when an older question has its answer and the newest only tool calls",
      [
        asked,
        assistant("msg_2", "msg_1", { finish: "stop" }),
        user("msg_3"),
        assistant("msg_4", "msg_3", { finish: "tool-calls" }, completed),
      ],
      "msg_3",
    ],
  ])("%s", (_name, messages, id) => {
    expect(nextAction(messages)).toEqual({ type: "respond", user: messages.find(({ info }) => info.id === id) })
  })
})

describe("stops", () => {
  it.each<[string, MessageWithParts[]]>([
    ["without messages", []],
    ["without a question", [assistant("msg_1", "msg_0", { finish: "tool-calls" })]],
  ])("%s, without an answer", (_name, messages) => {
    expect(nextAction(messages)).toEqual({ type: "stop" })
  })

  it.each<[string, MessageWithParts<AssistantMessage>]>([
    ["an answer that came to its end", assistant("msg_9", "msg_1", { finish: "stop" })],
    ["an answer that reached its length", assistant("msg_9", "msg_1", { finish: "length" })],
    ["a filtered answer", assistant("msg_9", "msg_1", { finish: "content-filter" })],
    ["an answer that failed", assistant("msg_9", "msg_1", { finish: "error", error: aborted })],
    ["an abort", assistant("msg_9", "msg_1", { error: aborted })],
    ["a refusal amid tool calls", assistant("msg_9", "msg_1", { finish: "tool-calls", error: aborted }, completed)],
    ["an answer whose calls are settled", assistant("msg_9", "msg_1", { finish: "stop" }, completed)],
  ])("after %s", (_name, answer) => {
    const step = assistant("msg_2", "msg_1", { finish: "tool-calls" }, completed)
    expect(nextAction([asked, answer])).toEqual({ type: "stop", answer })
    expect(nextAction([asked, step, answer])).toEqual({ type: "stop", answer })
  })
})

it("does not depend on when messages were made, only on their order", () => {
  const early = { ...asked, info: { ...asked.info, time: { created: 1e15 } } }
  const answer = assistant("msg_2", "msg_1", { finish: "stop" })
  expect(nextAction([early, answer])).toEqual({ type: "stop", answer })
})
