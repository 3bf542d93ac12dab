import { messageID, partID, sampleText, sampleUserMessage, sessionID } from "@pawl/storage-testkit"
import { expect, it } from "vitest"
import { parseJoined } from "./joined-records.ts"

const [session, id] = [sessionID(1), messageID(1)]
const info = sampleUserMessage(session, id)
const part = (number: number) => sampleText(session, id, partID(number))
const join = (...records: unknown[]) => `[${records.map((record) => JSON.stringify(record)).join(",")}]`

it("reads a message and its parts", () => {
  expect(parseJoined(join(info, part(1), part(2)), 3, id)).toEqual({ info, parts: [part(1), part(2)] })
  expect(parseJoined(join(info), 1, id)).toEqual({ info, parts: [] })
})

it.each([
  ["is no JSON", `[${JSON.stringify(info)},{"id":]`, 2],
  ["is other JSON than was stored", '[{"id":"msg_000001"},{"id":"prt_1"},2]', 2],
  ["has the message behind a part", join(part(1), info), 2],
  ["has no message", join(part(1), part(2)), 2],
  ["has the parts in another order", join(info, part(2), part(1)), 3],
  ["has a part twice", join(info, part(1), part(1)), 3],
  ["has a part that is nothing", join(info, null), 2],
  ["has a part without text", join(info, { ...part(1), text: undefined }), 2],
  ["has a part of another message", join(info, { ...part(1), messageID: "msg_2" }), 2],
  ["has a message without a role", join({ ...info, role: undefined }), 1],
])("leaves alone what %s", (_what, records, count) => {
  expect(parseJoined(records, count, id)).toBeUndefined()
})
