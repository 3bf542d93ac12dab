import {
  messageID,
  partID,
  sampleAssistantMessage,
  sampleSession,
  sampleText,
  sessionID,
} from "@pawl/storage-testkit/samples"
import { expect, it } from "vitest"
import { fileStorage } from "../src/file-storage.ts"
import { temporaryDirectory } from "./place.ts"

it("keeps the parts of two sessions apart whose messages have the same id, also when parts come later", async () => {
  const path = temporaryDirectory()
  const ids = [sessionID(1), sessionID(2)]
  const first = await fileStorage({ path })
  for (const id of ids) {
    await first.commit(id, [
      { type: "session.put", session: sampleSession(id) },
      { type: "message.put", message: sampleAssistantMessage(id, messageID(1)) },
    ])
  }
  const second = await fileStorage({ path })
  for (const id of ids) {
    const part = sampleText(id, messageID(1), partID(1), { text: `of ${id}` })
    await second.commit(id, [{ type: "part.put", part }])
  }
  await first.close()
  await second.close()

  const reopened = await fileStorage({ path })
  for (const id of ids) {
    const { messages, damaged } = await reopened.readContext(id)
    expect(messages[0]?.parts).toMatchObject([{ text: `of ${id}` }])
    expect(damaged).toBeUndefined()
  }
  await reopened.close()
})
