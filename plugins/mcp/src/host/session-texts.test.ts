import { expect, it } from "vitest"
import { createSessionTexts } from "./session-texts.ts"

it("stays the same for a session, whatever comes later", async () => {
  let read = 0
  const texts = createSessionTexts(async () => `text ${++read}`)

  expect(await texts.of("ses_a")).toBe("text 1")
  expect(await texts.of("ses_b")).toBe("text 2")
  expect(await texts.of("ses_a")).toBe("text 1")
})
