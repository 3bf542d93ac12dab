import { describe, expect, it } from "vitest"
import { chunksAfter, textStart } from "./chunks.ts"

const texts = (text: string, isDone = false) => {
  const { done, rest } = chunksAfter(text, textStart, isDone)
  return { done: done.map(({ chunk }) => chunk.text), rest: rest?.text }
}

describe("a growing Markdown text", () => {
  it("is finished up to the last blank line that text follows", () => {
    expect(texts("One.\n\nTwo.\n\nThr")).toEqual({ done: ["One.\n", "Two.\n"], rest: "Thr" })
    expect(texts("One.\n\n")).toEqual({ done: [], rest: "One.\n\n" })
  })

  it("keeps the paragraphs of a list item together", () => {
    expect(texts("- a\n\n  more of a\n- b\n\nEnd")).toEqual({ done: ["- a\n\n  more of a\n- b\n"], rest: "End" })
  })

  it("keeps blank lines within a code block", () => {
    expect(texts("```js\na\n\nb\n```\nEnd")).toEqual({ done: ["```js\na\n\nb\n```\n"], rest: "End" })
  })

  it("separates a paragraph from the code block below it", () => {
    expect(texts("Look:\n```\na\n")).toEqual({ done: ["Look:\n"], rest: "```\na\n" })
  })

  it("cuts a long code block, and remembers how it was opened", () => {
    const code = Array.from({ length: 60 }, (_, at) => `line ${at}\n`).join("")

    const { done, rest } = chunksAfter(`\`\`\`ts\n${code}`, textStart, false)

    expect(done).toHaveLength(2)
    expect(done[0]?.chunk).toMatchObject({ isOpenEnded: true })
    expect(done[1]?.chunk).toMatchObject({ isOpenEnded: true, begunFence: "```ts" })
    expect(rest).toMatchObject({ begunFence: "```ts", isOpenEnded: true })
    expect([...done.map(({ chunk }) => chunk.text), rest?.text].join("")).toBe(`\`\`\`ts\n${code}`)
  })

  it("cuts a long list between two items", () => {
    const list = Array.from({ length: 40 }, (_, at) => `${at + 1}. item\n`).join("")

    const { done, rest } = texts(list)

    expect(done).toHaveLength(1)
    expect(`${done.join("")}${rest}`).toBe(list)
  })

  it("continues behind a mark as if the text before it were not there", () => {
    const text = "One.\n\nTwo.\n\nThree."
    const first = chunksAfter("One.\n\nTw", textStart, false)
    const mark = first.done.at(-1)?.mark ?? textStart

    const { done } = chunksAfter(text, mark, true)

    expect(done.map(({ chunk }) => chunk.text)).toEqual(["Two.\n", "Three."])
    expect(done.map(({ chunk }) => chunk.hasGap)).toEqual([true, true])
  })
})
