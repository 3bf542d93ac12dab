import { expect, it } from "vitest"
import { createEventBus } from "../contracts/events.ts"
import type { JSONObject } from "../base/json.ts"
import type { Session, ToolPart } from "../record/message.ts"
import { followChild } from "./follow-child.ts"

const sessionID = "ses_2"
const child: Session = {
  ...{ id: sessionID, projectID: "p", directory: "/srv", title: "Child", version: "1" },
  time: { created: 1, updated: 1 },
}

function ended(id: ToolPart["id"], time: { start: number; end: number; compacted?: number }): ToolPart {
  const state = { status: "completed", input: {}, output: "", title: id, metadata: {}, time } as const
  return { id, sessionID, messageID: "msg_1", type: "tool", callID: id, tool: "read", state }
}

it("shows the child's newest calls, and none of earlier runs that is stored again", () => {
  const bus = createEventBus(
    () => "evt_1",
    (error) => expect.unreachable(String(error)),
  )
  const shown: JSONObject[] = []
  const life = { progress: ({ metadata }: { metadata: JSONObject }) => void shown.push(metadata) }
  const model = { providerID: "p", modelID: "m" }
  const stop = followChild(bus, { child, work: { model, life: life as never }, alive: () => {}, every: 0 })
  const parts = [ended("prt_1", { start: 1, end: 2, compacted: 9 }), ended("prt_2", { start: 8, end: 9 })]
  for (const part of parts) bus.publish("message.part.updated", { sessionID, part, time: 9 })
  stop()

  expect(shown.at(-1)?.["summary"]).toEqual([{ tool: "read", title: "prt_2", status: "completed" }])
})
