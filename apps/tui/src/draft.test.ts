import { expect, it } from "vitest"
import { createDraft } from "./draft.ts"

it("keeps all that is put aside, and what is typed since", () => {
  let text = "first"
  const draft = createDraft(
    { text: () => text, setText: (next) => void (text = next), isCompleting: () => false },
    () => 1,
  )
  expect(draft.putAside()).toBe(true)
  expect([text, draft.isEmpty(), draft.putAside()]).toEqual(["", true, false])
  text = "second"
  expect(draft.putAside()).toBe(true)
  text = "third"
  draft.takeBack()
  expect(text).toBe("first\nsecond\nthird")
  draft.takeBack()
  expect(text).toBe("first\nsecond\nthird")
})
