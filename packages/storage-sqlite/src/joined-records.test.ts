import { expect, it } from "vitest"
import { parseJoined } from "./joined-records.ts"

const message = '{"id":"msg_1"}'
const part = (id: string) => `{"id":"${id}","messageID":"msg_1"}`
const join = (...records: string[]) => `[${records.join(",")}]`

it("reads a message and its parts", () => {
  expect(parseJoined(join(message, part("prt_1"), part("prt_2")), 3)?.map(({ id }) => id)).toEqual([
    ...["msg_1", "prt_1", "prt_2"],
  ])
  expect(parseJoined(join(message), 1)).toEqual([{ id: "msg_1" }])
})

it.each([
  ["is no JSON", join(message, '{"id":'), 2],
  ["is other JSON than was stored", join(message, '{"id":"prt_1"', '"messageID":"msg_1"}'), 3],
  ["has the message behind a part", join(part("prt_1"), message), 2],
  ["has the parts in another order", join(message, part("prt_2"), part("prt_1")), 3],
  ["has a part twice", join(message, part("prt_1"), part("prt_1")), 3],
])("leaves alone what %s", (_what, records, count) => {
  expect(parseJoined(records, count)).toBeUndefined()
})
