import type { ModelMessage } from "@pawl/core/provider"
import { expect, it } from "vitest"
import { materialOf } from "./material.ts"
import { summaryRequest } from "./original/prompt.ts"
import { lossySummarizer, MAX_WORDS } from "./summarizer.ts"

const user = (text: string): ModelMessage => ({ role: "user", content: [{ type: "text", text }] })
const requestOf = (...messages: ModelMessage[]) => ({ system: [], tools: [], messages })

const answer = { text: "It was the cache.", calls: [] }
const asked = requestOf(
  user(
    summaryRequest(
      [
        { type: "user", text: "Mend it. Be quick." },
        { type: "answer", answer },
      ],
      "- Old news.",
    ),
  ),
)

it("reads who said what, quoted or as messages", () => {
  const said = [
    { source: "user", text: "Mend it." },
    { source: "user", text: "Be quick." },
    { source: "assistant", text: "It was the cache." },
  ]
  expect(materialOf(asked).sentences).toEqual([{ source: "prior", text: "Old news." }, ...said])
  const messages: ModelMessage[] = [
    user("Mend it. Be quick."),
    { role: "assistant", content: [{ type: "text", text: answer.text }] },
    user("## One\n\n## Two\n\nUse at most 5 words."),
  ]
  expect(materialOf(requestOf(...messages))).toMatchObject({ sentences: said, headings: ["One", "Two"], words: 5 })
})

it("fills the headings that are asked for with a part of what it is given", () => {
  const sentences = Array.from({ length: 400 }, (_, at) => `This is sentence number ${at} of them.`)
  const request = requestOf(user(summaryRequest([{ type: "user", text: sentences.join(" ") }], undefined)))
  const summary = lossySummarizer("1")(request)
  for (const heading of ["Objective", "Important Details", "Work State", "Next Move", "Relevant Files"]) {
    expect(summary).toContain(`## ${heading}\n`)
  }
  const kept = sentences.filter((sentence) => summary.includes(sentence)).length
  expect(kept).toBeGreaterThan(50)
  expect(kept).toBeLessThanOrEqual(MAX_WORDS / 7)
  expect(lossySummarizer("1")(request)).toBe(summary)
  expect(lossySummarizer("2")(request)).not.toBe(summary)
})

it("repeats little of what it is told is kept elsewhere, whoever tells it", () => {
  const said = Array.from({ length: 60 }, (_, at) => `The user says sentence number ${at}.`)
  const answered = Array.from({ length: 60 }, (_, at) => `The agent says sentence number ${at}.`)
  const messages = (question: string): ModelMessage[] => [
    user(said.join(" ")),
    { role: "assistant", content: [{ type: "text", text: answered.join(" ") }] },
    user(`## One\n${question}`),
  ]
  const kept = (question: string, sentences: readonly string[]) => {
    const summary = lossySummarizer("1")(requestOf(...messages(question)))
    return sentences.filter((sentence) => summary.includes(sentence)).length
  }
  const plain = "Summarize."
  const told =
    "Commands and the user's messages are kept, so do not repeat the user's messages, files modified or commands."
  expect(materialOf(requestOf(...messages(plain))).keptElsewhere).toEqual(new Set())
  expect(materialOf(requestOf(...messages(told))).keptElsewhere).toEqual(new Set(["user", "change", "call", "list"]))
  expect(kept(told, said)).toBeLessThan(kept(plain, said) / 2)
  expect(kept(told, answered)).toBe(kept(plain, answered))
})
