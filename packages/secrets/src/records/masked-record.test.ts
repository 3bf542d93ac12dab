import { expect, it } from "vitest"
import { maskedRecord } from "./masked-record.ts"

const KEY = "sk-abcdefghijklmnopqrstuvwxyz"
const mask = (text: string) => text.replaceAll(KEY, "[removed:key]").replaceAll("ses_1", "[removed:id]")

it("masks each string, keeps ids where they link records, and leaves a value of the same form", () => {
  const record = {
    ...{ id: "ses_1", sessionID: "ses_1", title: `the ${KEY}`, time: { created: 1 }, list: [KEY, 2, null, true] },
    state: { input: { id: KEY, password: "short", [`/a/${KEY}/longer`]: "x" }, output: "ses_1" },
  }
  expect(maskedRecord(record, mask)).toEqual({
    ...{ id: "ses_1", sessionID: "ses_1", title: "the [removed:key]", time: { created: 1 } },
    list: ["[removed:key]", 2, null, true],
    state: {
      input: { id: "[removed:key]", password: "[removed:secret.field]", "/a/[removed:key]/longer": "x" },
      output: "[removed:id]",
    },
  })
})

it("looks into texts that stand in an address", () => {
  const url = `data:text/plain;base64,${Buffer.from(`a ${KEY}`).toString("base64")}`
  const masked = maskedRecord({ url }, mask)
  expect(Buffer.from(masked.url.split(",")[1] ?? "", "base64").toString()).toBe("a [removed:key]")
})
