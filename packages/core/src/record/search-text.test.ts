import { expect, it } from "vitest"
import type { Part } from "./message.ts"
import { matchesWords, searchText, searchWords } from "./search-text.ts"

it.each([
  ["words in lower case, each once", "The cat, the CAT!", ["the", "cat"]],
  ["digits and letters together", "h2o utf-8 v1.2", ["h2o", "utf", "8", "v1", "2"]],
  ["identifiers at what parts them", "read_file fooBar", ["read", "file", "foobar"]],
  ["composed letters", "cafe\u0301 CAFÉ", ["café"]],
  ["characters of scripts without spaces", "世界 hello世", ["世", "界", "hello"]],
  ["nothing of a text without words", " -- \u{1f600} ", []],
])("finds %s", (_what, text, words) => {
  expect(searchWords(text)).toEqual(words)
})

it("counts no more of a long word than a query can ask for", () => {
  const [word] = searchWords("x".repeat(1000))
  expect(word).toHaveLength(64)
  expect(matchesWords(searchWords("x".repeat(1000)), searchWords("x".repeat(500)))).toBe(true)
})

it("matches where each word of the query begins a word", () => {
  expect(matchesWords(["storage", "engine"], ["eng", "storage"])).toBe(true)
  expect(matchesWords(["storage"], ["age"])).toBe(false)
  expect(matchesWords(["storage"], ["storage", "engine"])).toBe(false)
  expect(matchesWords(["storage"], [])).toBe(false)
})

it("searches what was said, asked of tools and answered by them", () => {
  const base = { id: "prt_1", sessionID: "ses_1", messageID: "msg_1" } as const
  const time = { start: 1, end: 2 }
  const state = {
    status: "completed",
    input: { path: "a.ts", deep: [{ n: 7 }] },
    output: "done",
    title: "",
    metadata: {},
    time,
  }
  expect(searchText({ ...base, type: "text", text: "hello" })).toBe("hello")
  expect(searchText({ ...base, type: "text", text: "hidden", ignored: true })).toBeUndefined()
  expect(searchText({ ...base, type: "text", text: " \n" })).toBeUndefined()
  expect(searchText({ ...base, type: "tool", callID: "c", tool: "read", state } as Part)).toBe("read\na.ts\n7\ndone")
  expect(searchText({ ...base, type: "step-start" })).toBeUndefined()
})
