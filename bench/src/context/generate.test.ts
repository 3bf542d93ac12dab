import { expect, it } from "vitest"
import { factKinds } from "./conversation.ts"
import { generateConversation } from "./generate.ts"

const conversation = generateConversation("test", 1_000_000)

it("plants each fact in one place, exactly when it says", () => {
  const { turns, facts } = conversation
  const places: { readonly moment: number; readonly text: string }[] = []
  let answered = 0
  for (const { prompt, answers } of turns) {
    places.push({ moment: answered * 2, text: prompt })
    for (const { text, calls } of answers) {
      places.push({ moment: answered * 2 + 1, text })
      for (const call of calls) places.push({ moment: answered * 2 + 1, text: JSON.stringify(call) })
      answered++
    }
  }
  for (const { key, from } of facts) {
    const told = places.filter(({ text }) => text.includes(key))
    expect({ key, moments: told.map(({ moment }) => moment) }).toEqual({ key, moments: [from] })
  }
})

it("plants facts of every kind, under keys that JSON leaves as they are", () => {
  for (const kind of factKinds) {
    expect(conversation.facts.filter((fact) => fact.kind === kind).length).toBeGreaterThan(1)
  }
  for (const { key } of conversation.facts) expect(key).toMatch(/^[\w ./#-]+$/)
  expect(new Set(conversation.facts.map(({ key }) => key)).size).toBe(conversation.facts.length)
})

it("is the same for the same seed, and another for another", () => {
  expect(generateConversation("test", 1_000_000)).toEqual(conversation)
  expect(generateConversation("other", 1_000_000)).not.toEqual(conversation)
})

it("ends a request with the last answer of its turn, and nothing before it was said", () => {
  for (const { from, until = Infinity } of conversation.facts) expect(until).toBeGreaterThan(from)
  const answers = conversation.turns.map(({ answers }) => answers.length)
  const request = conversation.facts.find(({ kind }) => kind === "request")
  expect(request).toMatchObject({ from: 0, until: (answers[0] ?? 0) * 2 - 1 })
})
