import { expect, it } from "vitest"
import { conversation, said } from "../../../test/conversation.ts"
import { createIDSource } from "../../base/ids.ts"
import { answersSinceCompaction, newestAnswer } from "./brake.ts"

const ended = { type: "step-finish" }

it("counts the answers that are newer than those which a compaction saw, though its marker is older than they are", () => {
  const talk = conversation(createIDSource(Date.now), "ses_x")
  talk.user(said("Begin"))
  talk.assistant({}, ended)
  const { info } = talk.user({ type: "compaction", auto: true })
  talk.assistant({ summary: true, parentID: info.id }, ended)
  // The summary was made beside these two, and put into effect behind them.
  talk.assistant({}, ended)
  talk.assistant({}, ended)
  const [marker] = talk.messages.flatMap(({ parts }) => parts.filter((part) => part.type === "compaction"))
  Object.assign(marker ?? {}, { answered: newestAnswer(talk.messages) })
  expect(answersSinceCompaction(talk.messages)).toBe(0)

  talk.assistant({}, ended)
  talk.assistant({ error: { name: "UnknownError", data: { message: "No." } } }, ended)

  expect(answersSinceCompaction(talk.messages)).toBe(1)
})
