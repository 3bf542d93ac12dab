import { expect, it } from "vitest"
import type { ModelMessage, ModelRequest } from "../contracts/model.ts"
import { createWellFormed, wellFormed } from "./well-formed.ts"

const HALF = "\ud83d"
const tool = (words: string) => ({ name: "look", description: words, inputSchema: { type: "object", title: words } })

function request(words: string): ModelRequest {
  return {
    sessionID: "ses_1",
    system: ["Be brief.", words],
    tools: [tool(words)],
    settings: { temperature: 0, options: { user: words, [words]: [words] } },
    headers: { "x-name": "a" },
    responseFormat: { schema: { description: words }, name: words },
    messages: [
      {
        role: "user",
        content: [
          { type: "text", text: words },
          { type: "file", mime: "image/png", filename: words, url: "data:image/png;base64,AA==" },
        ],
      },
      {
        role: "assistant",
        content: [
          { type: "reasoning", text: words },
          { type: "text", text: words },
          { type: "tool-call", callID: "call_1", name: "look", input: { [words]: [{ deep: words }, 1, null, true] } },
        ],
      },
      {
        role: "tool",
        content: [{ type: "tool-result", callID: "call_1", name: "look", output: words, isError: false }],
      },
    ],
  }
}

it("replaces each half of a pair, wherever it stands, and nothing else", () => {
  const sent = createWellFormed()(request(`a${HALF}b\udc00`))
  expect(sent).toEqual(request("a\uFFFDb\uFFFD"))
  expect(JSON.stringify(sent)).not.toContain("\\ud")
})

it("takes the signatures from an answer that changes, with the reasoning that they prove", () => {
  const metadata = { acme: { signature: "s" } }
  const call = { type: "tool-call", callID: "call_1", name: "look", input: {} } as const
  const answer = (words: string): ModelMessage => ({
    role: "assistant",
    content: [
      { type: "reasoning", text: "Hm.", metadata },
      { type: "text", text: words },
      { ...call, metadata },
    ],
  })
  const sent = (words: string) => createWellFormed()({ ...request("a"), messages: [answer(words)] }).messages

  expect(sent("whole")).toEqual([answer("whole")])
  expect(sent(HALF)).toEqual([{ role: "assistant", content: [{ type: "text", text: "\uFFFD" }, call] }])
})

it("gives the same request if nothing has to change", () => {
  const whole = request("whole \u{1F600}")
  expect(createWellFormed()(whole)).toBe(whole)
})

it("gives the same message for the same message, so that a provider converts it once", () => {
  const convert = createWellFormed()
  const { messages, ...rest } = request(HALF)
  const first = convert({ ...rest, messages })
  const more: ModelMessage = { role: "user", content: [{ type: "text", text: "And?" }] }
  const second = convert({ ...rest, messages: [...messages, more] })

  expect(second.messages).toHaveLength(4)
  first.messages.forEach((message, at) => expect(second.messages[at]).toBe(message))
  expect(second.messages[3]).toBe(more)
  expect(second.tools).toBe(first.tools)
})

it("examines a message once, however many requests it is part of", () => {
  let reads = 0
  const message: ModelMessage = {
    role: "user",
    get content() {
      reads++
      return [{ type: "text" as const, text: "Hello" }]
    },
  }
  const convert = createWellFormed()
  for (let n = 0; n < 10; n++) convert({ ...request("a"), messages: [message] })
  expect(reads).toBe(1)
})

it("keeps one of two keys that become the same", () => {
  expect(wellFormed({ [HALF]: 1, "\ud83e": 2, "\uFFFD": 3 })).toEqual({ "\uFFFD": 3 })
  expect(wellFormed({ "\uFFFD": 3, [HALF]: 1 })).toEqual({ "\uFFFD": 1 })
})
