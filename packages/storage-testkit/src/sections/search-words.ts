import type { ToolState } from "@pawl/core/record"
import { type Part, searchText } from "@pawl/core/storage"
import { expect } from "vitest"
import { messageID, partID, sampleParts, sampleText, sessionID } from "../samples.ts"
import { search, storeParts, storeTexts } from "../searching.ts"
import { section } from "../section.ts"
import { collect } from "../writes.ts"

const session = sessionID(1)
const owner = (number: number) => ({ id: partID(number), sessionID: session, messageID: messageID(1) })
const [first, second, third, fourth] = [partID(1), partID(2), partID(3), partID(4)]

function tool(number: number, name: string, state: ToolState): Part {
  return { ...owner(number), type: "tool", callID: `call_${number}`, tool: name, state }
}

export const searchWords = section("search by words", {
  "finds the parts that hold every word, in whatever order": async ({ storage }) => {
    await storeTexts(storage, session, ["the storage engine", "an engine", "engine of a storage", "other"])
    expect(await search(storage, "storage engine")).toEqual([third, first])
    expect(await search(storage, "other")).toEqual([fourth])
    expect(await search(storage, "storage other")).toEqual([])
  },
  "finds words by their beginning, not by what follows": async ({ storage }) => {
    await storeTexts(storage, session, ["the storage", "store"])
    expect(await search(storage, "stor")).toEqual([second, first])
    expect(await search(storage, "s t")).toEqual([first])
    expect(await search(storage, "torage")).toEqual([])
    expect(await search(storage, "storages")).toEqual([])
  },
  "ignores case, beyond ASCII too": async ({ storage }) => {
    await storeTexts(storage, session, ["FIX the Parser", "Übergröße", "ПРИВЕТ мир", "ΣΊΓΜΑ"])
    expect(await search(storage, "fix PARSER")).toEqual([first])
    expect(await search(storage, "ÜBERGR")).toEqual([second])
    expect(await search(storage, "привет МИР")).toEqual([third])
    expect(await search(storage, "σίγμα")).toEqual([fourth])
  },
  "finds letters however they are composed, and knows accents apart": async ({ storage }) => {
    await storeTexts(storage, session, ["un cafe\u0301 noir", "un caf\u00e9 noir", "uber"])
    expect(await search(storage, "caf\u00e9")).toEqual([second, first])
    expect(await search(storage, "CAFE\u0301")).toEqual([second, first])
    expect(await search(storage, "cafe noir")).toEqual([])
    expect(await search(storage, "\u00fcber")).toEqual([])
  },
  "finds single characters of scripts without spaces": async ({ storage }) => {
    await storeTexts(storage, session, ["你好世界", "世の中", "คน"])
    expect(await search(storage, "世界")).toEqual([first])
    expect(await search(storage, "界好")).toEqual([first])
    expect(await search(storage, "世")).toEqual([second, first])
    expect(await search(storage, "น")).toEqual([third])
    expect(await search(storage, "東")).toEqual([])
  },
  "finds numbers and the pieces of identifiers": async ({ storage }) => {
    await storeTexts(storage, session, ["call read_file(v1.2.10)", "utf-8 is not utf16"])
    expect(await search(storage, "file")).toEqual([first])
    expect(await search(storage, "read_file")).toEqual([first])
    expect(await search(storage, "v1 10")).toEqual([first])
    expect(await search(storage, "utf8")).toEqual([])
    expect(await search(storage, "utf 8")).toEqual([second])
  },
  "finds what tools were asked and what they answered": async ({ storage }) => {
    const time = { start: 1, end: 2 }
    const input = { path: "alpha.ts", deep: [{ list: ["beta"] }], line: 4711 }
    await storeParts(storage, session, [
      tool(1, "grep", {
        status: "completed",
        input,
        output: "gamma\n",
        title: "hidden",
        metadata: { a: "hidden" },
        time,
      }),
      tool(2, "write", { status: "error", input: { path: "alpha.ts" }, error: "ENOSPC", time }),
      tool(3, "bash", { status: "running", input: { command: "sleep" }, time: { start: 1 } }),
    ])
    for (const text of ["grep", "beta", "4711", "gamma", "alpha beta gamma"]) {
      expect([text, await search(storage, text)]).toEqual([text, [first]])
    }
    expect(await search(storage, "alpha")).toEqual([second, first])
    expect(await search(storage, "enospc")).toEqual([second])
    expect(await search(storage, "sleep")).toEqual([third])
    expect(await search(storage, "hidden")).toEqual([])
  },
  "finds reasoning, and nothing in parts that say nothing": async ({ storage }) => {
    await storeParts(storage, session, [
      { ...owner(1), type: "reasoning", text: "a needle", time: { start: 1 } },
      sampleText(session, messageID(1), second, { text: "a needle", ignored: true }),
      { ...owner(3), type: "patch", hash: "needle", files: ["needle.ts"] },
      { ...owner(4), type: "agent", name: "needle" },
      { ...owner(5), type: "snapshot", snapshot: "needle" },
    ])
    expect(await search(storage, "needle")).toEqual([first])
  },
  "tells what of a part is searched, as it was written": async ({ storage }) => {
    const parts = sampleParts(session, messageID(1)).filter((part) => searchText(part)?.includes("main"))
    const odd = sampleText(session, messageID(1), partID(90), { text: ' Main\r\n\t"quoted" \u2028 <b>漢字</b> 👩‍👧 ' })
    await storeParts(storage, session, [...parts, odd])
    const expected = [...parts, odd].toReversed().map((part) => {
      return { sessionID: session, messageID: messageID(1), partID: part.id, text: searchText(part) }
    })
    expect(parts.length).toBeGreaterThan(1)
    expect(await collect(storage.search({ text: "main" }))).toEqual(expected)
  },
  "finds words beside NUL, lone surrogates and other signs": async ({ storage }) => {
    await storeTexts(storage, session, ["before\0needle\ud83dafter\u0001", "😀needle\u2028word"])
    expect(await search(storage, "needle")).toEqual([second, first])
    expect(await search(storage, "after")).toEqual([first])
    expect(await search(storage, "ne\0edle")).toEqual([])
    expect(await search(storage, "needle\ud83d")).toEqual([second, first])
  },
  "takes quotes and operators as signs and words": async ({ storage }) => {
    await storeTexts(storage, session, ['say "hello" to near and far', "hello or goodbye"])
    for (const text of [
      '"hello',
      "hello*",
      "-hello",
      "^hello",
      "(hello",
      "hello:*",
      "hello & !",
      "'hello' |",
      "{hello}",
    ]) {
      expect([text, await search(storage, text)]).toEqual([text, [second, first]])
    }
    expect(await search(storage, "hello NEAR far")).toEqual([first])
    expect(await search(storage, "hello OR nothing")).toEqual([])
    expect(await search(storage, "NOT hello")).toEqual([])
    expect(await search(storage, "text:hello")).toEqual([])
    expect(await search(storage, "'; DROP TABLE part; --")).toEqual([])
  },
  "finds nothing by a text without words": async ({ storage }) => {
    await storeTexts(storage, session, ["anything", "😀 -- %", ""])
    for (const text of ["", " \n", "--", "%", "_", "😀", '""', "*"]) expect(await search(storage, text)).toEqual([])
  },
  "finds a word at the end of a long text": async ({ storage }) => {
    await storeTexts(storage, session, [`${"filler ".repeat(25_000)}needle`, "filler"])
    expect(await search(storage, "needle filler")).toEqual([first])
  },
  "counts no more than 64 characters of a word": async ({ storage }) => {
    await storeTexts(storage, session, ["x".repeat(500), "x".repeat(63)])
    expect(await search(storage, "x".repeat(1000))).toEqual([first])
    expect(await search(storage, "x".repeat(63))).toEqual([second, first])
  },
  "gives a part once, however often it has the words": async ({ storage }) => {
    await storeTexts(storage, session, ["needle needles needle", "needle"])
    expect(await search(storage, "needle NEEDLE need")).toEqual([second, first])
  },
})
