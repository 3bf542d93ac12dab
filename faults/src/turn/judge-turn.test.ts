import type { MessageWithParts, Part, Write } from "@pawl/core/storage"
import { expect, it } from "vitest"
import { messageID, partID, putAssistantMessage, putCall, sessionID } from "../workload/records.ts"
import { judgeTurn } from "./judge-turn.ts"

const id = sessionID(1)
const call = `call_${partID(1)}`

function answer(completed: boolean, output?: string): MessageWithParts {
  const put = putAssistantMessage(id, messageID(2), messageID(1)) as Write & { type: "message.put" }
  const time = { created: 1, ...(completed ? { completed: 2 } : {}) }
  const { part } = putCall(id, messageID(2), partID(1), output) as { part: Part }
  return { info: { ...put.message, time }, parts: [part] }
}

it("is content with a call that has its end and was executed once", () => {
  expect(judgeTurn([answer(true, "done")], [call])).toEqual([])
})

it.each([
  ["a call that still runs", [answer(true)], [call]],
  ["an answer without an end", [answer(false, "done")], [call]],
  ["a result of a call that was not executed", [answer(true, "done")], []],
  ["a call that was executed twice", [answer(true, "done")], [call, call]],
] as const)("notices %s", (_what, messages, executed) => {
  expect(judgeTurn(messages, executed)).toHaveLength(1)
})
