import { expect, it } from "vitest"
import { conversation, said } from "../../test/conversation.ts"
import { createIDSource } from "../base/ids.ts"
import { callsMade } from "./compaction-record.ts"

const failure = { name: "ProviderError", data: { message: "No summary." } } as const

/** A session whose last compaction made three calls in vain. */
function failedCompaction() {
  const session = conversation(
    createIDSource(() => 1),
    "ses_1",
  )
  session.user(said("Fix the tests."))
  session.assistant({}, said("Fixed."))
  session.user({ type: "compaction", auto: false, calls: 3 })
  session.assistant({ summary: true, error: failure })
  return session
}

it("counts the calls of a failed summary until the next good answer for a compaction that the user asks for", () => {
  const session = failedCompaction()
  const { messages } = session
  expect(callsMade(messages, { isAuto: false })).toBe(3)
  session.user(said("And now?"))
  session.assistant({}, said("All is well."))
  expect(callsMade(messages, { isAuto: false })).toBe(0)
})

it("counts them for an automatic compaction also after a good answer", () => {
  const session = failedCompaction()
  const { messages } = session
  session.user(said("And now?"))
  session.assistant({}, said("All is well."))
  expect(callsMade(messages)).toBe(3)
})
