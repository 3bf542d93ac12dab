import { expect, it } from "vitest"
import type { FilePart, ToolState } from "../record/message.ts"
import { complete, fail, pending, run } from "./tool-state.ts"
import { isStoredAgain, isUnsettled } from "../record/tool-calls.ts"

const file: FilePart = {
  id: "prt_2",
  sessionID: "ses_1",
  messageID: "msg_1",
  type: "file",
  mime: "image/png",
  url: "data:,",
}
const running = run(pending('{"path":"a"}'), { path: "a" }, 100)

it("begins with the arguments as the model wrote them", () => {
  expect(pending('{"path"')).toEqual({ status: "pending", input: {}, raw: '{"path"' })
})

it("runs with its input from a moment on", () => {
  expect(running).toEqual({ status: "running", input: { path: "a" }, time: { start: 100 } })
})

it("completes with the result, the input and both times", () => {
  expect(complete(running, { title: "a", output: "text" }, [], 150)).toEqual({
    status: "completed",
    input: { path: "a" },
    output: "text",
    title: "a",
    metadata: {},
    time: { start: 100, end: 150 },
  })
})

it("keeps what the result attaches", () => {
  expect(complete(running, { title: "", output: "" }, [file], 150).attachments).toEqual([file])
})

it("adds the result's metadata to that of its progress", () => {
  const progressed = { ...running, metadata: { lines: 1, exit: null } }
  expect(complete(progressed, { title: "", output: "", metadata: { exit: 0 } }, [], 150).metadata).toEqual({
    lines: 1,
    exit: 0,
  })
})

it("fails while it runs, keeping when it began and its metadata", () => {
  const progressed = { ...running, metadata: { lines: 1 } }
  expect(fail(progressed, "ENOENT", 150, { interrupted: true })).toEqual({
    status: "error",
    input: { path: "a" },
    error: "ENOENT",
    metadata: { lines: 1, interrupted: true },
    time: { start: 100, end: 150 },
  })
})

it("fails before it ran, without metadata where there is none", () => {
  expect(fail(pending(""), "refused", 150)).toEqual({
    status: "error",
    input: {},
    error: "refused",
    time: { start: 150, end: 150 },
  })
})

it("changes no state in place", () => {
  const before = structuredClone(running)
  complete(running, { title: "a", output: "text", metadata: { exit: 0 } }, [file], 150)
  fail(running, "broken", 150, { interrupted: true })
  expect(running).toEqual(before)
})

it.each([
  [pending(""), true],
  [running, true],
  [complete(running, { title: "", output: "" }, [], 1), false],
  [fail(running, "broken", 1), false],
])("knows whether $status is unsettled", (state, expected) => {
  expect(isUnsettled(state)).toBe(expected)
})

const done = complete(running, { title: "", output: "" }, [file], 1)

it.each<[string, ToolState, boolean]>([
  ["has just ended", done, false],
  ["has failed", fail(running, "broken", 1), false],
  ["works", running, false],
  ["was cleared", { ...done, time: { ...done.time, compacted: 2 } }, true],
  [
    "had a file that was refused",
    { ...done, attachments: [{ ...file, rejected: { reason: "too large", time: 2 } }] },
    true,
  ],
])("knows whether a call that %s is stored again", (_, state, expected) => {
  const { sessionID, messageID } = file
  expect(
    isStoredAgain({ id: "prt_1", sessionID, messageID, type: "tool", callID: "call_1", tool: "read", state }),
  ).toBe(expected)
})
