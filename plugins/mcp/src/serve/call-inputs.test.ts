import type { ToolPart } from "@pawl/core/record"
import { expect, it } from "vitest"
import { createCallInputs } from "./call-inputs.ts"

const owner = { sessionID: "ses_1", messageID: "msg_1" } as const

function updated(id: ToolPart["id"], state: ToolPart["state"]) {
  const part: ToolPart = { id, ...owner, type: "tool", callID: "call_1", tool: "read", state }
  return { id, type: "message.part.updated", properties: { ...owner, part, time: 4 } } as const
}

const input = { filePath: "a.txt" }
const ended = { status: "completed", input, output: "", title: "", metadata: {} } as const

it("knows the arguments of a call while it works, whatever old call of the same id is stored again meanwhile", () => {
  const inputs = createCallInputs()
  inputs.follow(updated("prt_2", { status: "running", input, time: { start: 1 } }))
  inputs.follow(updated("prt_1", { ...ended, time: { start: 0, end: 0, compacted: 2 } }))
  expect(inputs.of("call_1")).toBe('read {"filePath":"a.txt"}')

  inputs.follow(updated("prt_2", { ...ended, time: { start: 1, end: 3 } }))
  expect(inputs.of("call_1")).toBeUndefined()
})
