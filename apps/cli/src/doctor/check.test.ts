import { expect, it } from "vitest"
import { UsageError } from "../arguments/usage-error.ts"
import { type Check, examine } from "./check.ts"

it("has a finding for each check in their order, also where one fails or never answers", async () => {
  const checks: readonly Check[] = [
    { name: "never", look: () => new Promise(() => undefined) },
    { name: "good", look: async () => ({ state: "good", says: "there" }) },
    { name: "throws", look: () => Promise.reject(new UsageError("It is broken.", "Mend it.")) },
    { name: "strange", look: () => Promise.reject("a text") },
    { name: "many", look: async () => [{ name: "one of many", state: "missing", says: "not there" }] },
  ]

  expect(await examine(checks, 30)).toEqual([
    { name: "never", state: "bad", says: "it did not answer within 0.03 s" },
    { name: "good", state: "good", says: "there" },
    { name: "throws", state: "bad", says: "It is broken.", advice: "Mend it." },
    { name: "strange", state: "bad", says: "a text" },
    { name: "one of many", state: "missing", says: "not there" },
  ])
})
