import { expect, it } from "vitest"
import type { AssistantMessage, MessageWithParts, ToolPart, ToolState, UserMessage } from "../record/message.ts"
import { nextAction } from "./next-action.ts"
import { recoveryWrites } from "./recovery.ts"
import { complete, fail, pending, run } from "../contracts/tool-state.ts"

const sessionID = "ses_1"
const model = { providerID: "acme", modelID: "small" }
const running = run(pending('{"path":"a"}'), { path: "a" }, 100)
const completed = complete(running, { title: "", output: "text" }, [], 150)
const question: MessageWithParts<UserMessage> = {
  info: { id: "msg_1", sessionID, role: "user", time: { created: 1 }, agent: "build", model },
  parts: [],
}

function tool(state: ToolState, metadata?: ToolPart["metadata"]): ToolPart {
  const part = {
    id: "prt_1",
    sessionID,
    messageID: "msg_2",
    type: "tool",
    callID: "call_1",
    tool: "read",
    state,
  } as const
  return metadata ? { ...part, metadata } : part
}

function answer(info: Partial<AssistantMessage>, ...parts: ToolPart[]): MessageWithParts<AssistantMessage> {
  const tokens = { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } }
  const written = { ...model, agent: "build", mode: "build", path: { cwd: "/", root: "/" }, cost: 0, tokens }
  const times = { time: { created: 50 } }
  return {
    info: { id: "msg_2", sessionID, role: "assistant", parentID: "msg_1", ...times, ...written, ...info },
    parts,
  }
}

it.each<[string, MessageWithParts[]]>([
  ["an empty session", []],
  ["a question", [question]],
  ["a settled answer", [question, answer({ finish: "stop", time: { created: 50, completed: 60 } }, tool(completed))]],
  [
    "a failed call",
    [question, answer({ finish: "stop", time: { created: 50, completed: 60 } }, tool(fail(running, "no", 1)))],
  ],
])("writes nothing for %s", (_name, messages) => {
  expect(recoveryWrites(messages, 200)).toEqual([])
})

it("completes an answer without an end, so that the loop goes on", () => {
  const [write, ...more] = recoveryWrites([question, answer({})], 200)

  expect(more).toEqual([])
  expect(write).toEqual({
    type: "message.put",
    message: answer({ finish: "unknown", time: { created: 50, completed: 200 } }).info,
  })
  if (write?.type !== "message.put") return expect.fail("no message was written")
  expect(nextAction([question, { info: write.message, parts: [] }]).type).toBe("respond")
})

it("keeps the finish that was stored already", () => {
  expect(recoveryWrites([answer({ finish: "tool-calls" })], 200)).toMatchObject([{ message: { finish: "tool-calls" } }])
})

it("ends a running call with an error and keeps its input, its beginning and its metadata", () => {
  const part = tool({ ...running, metadata: { lines: 3 } }, { effect: "unsafe" })
  const [write] = recoveryWrites([answer({}, part)], 200)

  expect(write).toMatchObject({
    type: "part.put",
    part: {
      id: "prt_1",
      callID: "call_1",
      metadata: { effect: "unsafe" },
      state: {
        status: "error",
        input: { path: "a" },
        metadata: { lines: 3, interrupted: true },
        time: { start: 100, end: 200 },
      },
    },
  })
})

it("settles a call of an answer that is complete", () => {
  const left = tool(running, { effect: "pure" })
  const finished = answer({ finish: "stop", time: { created: 50, completed: 60 } }, left)
  expect(recoveryWrites([finished], 200)).toMatchObject([{ type: "part.put", part: { state: { status: "error" } } }])
})

it.each<[string, ToolPart, RegExp]>([
  ["that never ran", tool(pending("{}")), /before it ran/],
  ["without effect", tool(running, { effect: "pure" }), /safe to call again/],
  ["with the same effect again", tool(running, { effect: "idempotent" }), /safe to call again/],
  ["with another effect each time", tool(running, { effect: "unsafe" }), /unknown.*look before you repeat/],
  ["of which no effect is known", tool(running), /unknown.*look before you repeat/],
])("tells the model what to think of a call %s", (_name, part, expected) => {
  const [write] = recoveryWrites([answer({}, part)], 200, { runsCalls: false })
  if (write?.type !== "part.put" || write.part.type !== "tool") return expect.fail("no call was written")
  expect(write.part.state).toMatchObject({ status: "error", error: expect.stringMatching(expected) as string })
})

it("leaves a call that may be repeated to the run, and counts that", () => {
  const [write, ...more] = recoveryWrites([answer({}, tool(running, { effect: "pure" }))], 200)
  expect(more).toEqual([])
  expect(write).toMatchObject({ part: { state: { status: "running" }, metadata: { effect: "pure", reruns: 1 } } })
})

it("does not count a call that waits for a person", () => {
  const asking = {
    id: "prt_9",
    sessionID,
    messageID: "msg_2",
    type: "question",
    callID: "call_1",
    time: { created: 1 },
  }
  const left = answer({}, tool(running, { effect: "pure" }))
  expect(recoveryWrites([{ ...left, parts: [...left.parts, asking as never] }], 200)).toEqual([])
})

it("settles everything at once: a second recovery finds nothing", () => {
  const messages = [question, answer({}, tool(pending("")), { ...tool(running), id: "prt_2", callID: "call_2" })]
  const settled = messages.map((message): MessageWithParts => {
    const writes = recoveryWrites([message], 200)
    const info = writes.find((write) => write.type === "message.put")?.message ?? message.info
    const put = writes.flatMap((write) => (write.type === "part.put" ? [write.part] : []))
    return { info, parts: message.parts.map((part) => put.find(({ id }) => id === part.id) ?? part) }
  })

  expect(recoveryWrites(settled, 300)).toEqual([])
})
