import { describe, expect, it } from "vitest"
import type { AssistantMessage, MessageWithParts } from "../record/message.ts"
import { createAnswerJudge } from "./answers.ts"
import { replay } from "../../test/corpus/repetition/replay.ts"
import { compact, prompt, read, say, step, times } from "../../test/corpus/repetition/trace.ts"

const long =
  "The error comes from the validation layer, which does not know the tenant yet. I will look for where it is set."
function answer(number: number, text: string): MessageWithParts<AssistantMessage> {
  const owner = { sessionID: "ses_1", messageID: `msg_${number}` } as const
  const model = { providerID: "acme", modelID: "small", agent: "build", mode: "build", path: { cwd: "/", root: "/" } }
  const bill = { cost: 0, tokens: { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } } }
  const info = { id: owner.messageID, sessionID: "ses_1", role: "assistant", parentID: "msg_0" } as const
  return {
    info: { ...info, ...model, ...bill, time: { created: 1 } },
    parts: [{ ...owner, id: `prt_${number}`, type: "text", text }],
  }
}

const flagged = (...events: Parameters<typeof replay>[0]["events"][number][]) => replay({ events })?.answer
const open = (round: number) => read(`src/${round}.ts`, "1: //\n")

describe("createAnswerJudge", () => {
  it("flags the third identical answer of a turn", () => {
    expect(flagged(...times(4, (round) => say(long, open(round))))).toBe(3)
  })

  it("does not mind what lies between, nor white space", () => {
    const spaced = [long, `  ${long}`, long.replaceAll(" ", "\n")]
    expect(flagged(...times(3, (round) => [say(spaced[round - 1] ?? "", open(round)), step(open(round + 10))]))).toBe(5)
  })

  it("lets the model announce its next step in the same few words", () => {
    expect(flagged(...times(9, (round) => say("Now the next file.", open(round))))).toBeUndefined()
  })

  it("minds few words where nothing else was done", () => {
    expect(flagged(...times(4, () => say("Everything is done now.")))).toBe(3)
    expect(flagged(...times(4, () => say("Done.")))).toBeUndefined()
  })

  it("minds one other word", () => {
    expect(flagged(...times(5, (round) => say(`${long} (${round})`, open(round))))).toBeUndefined()
  })

  it("begins anew when a person writes", () => {
    expect(flagged(...times(5, (round) => [prompt("Again."), say(long, open(round))]))).toBeUndefined()
  })

  it("does not mind what a summarizer writes", () => {
    expect(flagged(...times(6, (round) => [step(open(round)), compact()]))).toBeUndefined()
  })

  it("speaks of the newest answer alone", () => {
    const judge = createAnswerJudge()
    const said = [1, 2, 3].map((number) => answer(number, long))
    expect(judge(said)).toMatchObject({ kind: "answers", text: long, times: 3 })
    expect(judge([...said, answer(4, "")])).toBeUndefined()
  })

  it("still knows what a compaction has taken away", () => {
    expect(flagged(...times(4, (round) => [say(long, open(round)), compact()]))).toBe(3)
  })
})
