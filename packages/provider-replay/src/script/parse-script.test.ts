import { ProviderError } from "@pawl/core/provider"
import { describe, expect, it } from "vitest"
import { parseScript } from "./parse-script.ts"

function replyOf(line: unknown) {
  return parseScript(JSON.stringify(line), "a.jsonl").replies[0]
}

describe("a script", () => {
  it("has a header, comments, blank lines, and a reply on each other line", () => {
    const script = parseScript(
      [
        "// Greets.",
        '{"model": {"id": "m", "cost": {"input": 3}}, "pace": {"charactersPerSecond": 400}, "position": "sequence"}',
        "",
        '{"text": "Hello."}\r',
        "  // Then looks.",
        '{"reply": [{"text": "I look."}, {"tool": "read", "input": {"filePath": "a"}}]}',
        "",
      ].join("\n"),
      "a.jsonl",
    )

    expect(script.name).toBe("a.jsonl")
    expect(script.header).toMatchObject({
      model: { id: "m", cost: { input: 3 } },
      pace: { charactersPerSecond: 400 },
      position: "sequence",
    })
    expect(script.replies).toHaveLength(2)
  })

  it("begins behind a byte order mark", () => {
    expect(parseScript('\ufeff{"position": "sequence"}\n{"text": "Hi"}', "a.jsonl")).toMatchObject({
      header: { position: "sequence" },
      replies: [[{ type: "text" }]],
    })
  })

  it("needs no header and no replies", () => {
    expect(parseScript("", "a.jsonl")).toEqual({ name: "a.jsonl", header: {}, replies: [] })
  })

  it("numbers tool calls over all replies", () => {
    const { replies } = parseScript('{"tool":"a"}\n{"reply":[{"tool":"b","id":"x"},{"tool":"c"}]}', "a.jsonl")

    expect(replies.flat().map((step) => (step.type === "call" ? step.id : undefined))).toEqual([
      "call_1",
      "x",
      "call_2",
    ])
  })
})

describe("a tool call without an id", () => {
  it("gets none that another call of the script has", () => {
    const lines = [
      { tool: "a" },
      { reply: [{ tool: "b", id: "call_1" }, { tool: "c" }] },
      { event: { type: "tool-call", id: "call_3", name: "search", input: "{}" } },
      { tool: "d" },
    ]

    const { replies } = parseScript(lines.map((line) => JSON.stringify(line)).join("\n"), "a.jsonl")

    const ids = replies.flat().map((step) => ("id" in step ? step.id : undefined))
    expect(ids).toEqual(["call_2", "call_1", "call_4", "call_3", "call_5"])
  })
})

describe("an item", () => {
  it.each([
    ["text, in words", { text: "To be, or not." }, { type: "text", chunks: ["To", " be,", " or", " not."] }],
    [
      "reasoning with what belongs to it",
      { reasoning: "Hm.", metadata: { acme: { signature: "s" } } },
      { type: "reasoning", chunks: ["Hm."], metadata: { acme: { signature: "s" } } },
    ],
    [
      "a tool call",
      { tool: "read", input: { a: 1 } },
      { type: "call", id: "call_1", name: "read", chunks: ['{"a":1}'] },
    ],
    ["a tool call without input", { tool: "list", id: "c" }, { type: "call", id: "c", name: "list", chunks: ["{}"] }],
    [
      "a tool call with broken arguments",
      { tool: "read", arguments: '{"pa' },
      { type: "call", id: "call_1", name: "read", chunks: ['{"pa'] },
    ],
    ["a pause", { wait: 200 }, { type: "wait", milliseconds: 200 }],
    ["a stall", { stall: true }, { type: "stall" }],
    [
      "what the provider did by itself",
      { event: { type: "tool-result", id: "s", name: "search", output: [1] } },
      { type: "tool-result", id: "s", name: "search", output: [1] },
    ],
  ])("is %s", (_name, line, step) => {
    expect(replyOf(line)).toEqual([step])
    expect(replyOf({ reply: [line] })).toEqual([step])
  })

  it("is an error, with a message of its own if it has to", () => {
    const [step] =
      replyOf({ error: { kind: "rate-limited", message: "Slow.", retryAfter: 1000, statusCode: 429 } }) ?? []
    const [bare] = replyOf({ error: { kind: "overflow" } }) ?? []

    expect(step).toMatchObject({
      type: "fail",
      error: { kind: "rate-limited", message: "Slow.", details: { retryAfter: 1000, statusCode: 429 } },
    })
    expect(bare).toMatchObject({ error: { kind: "overflow", message: 'The script answers with "overflow".' } })
  })

  it("stands beside usage and finish", () => {
    expect(replyOf({ text: "Hi", usage: { input: 5, cacheRead: 2 }, finish: "length" })?.at(-1)).toEqual({
      type: "ending",
      reason: "length",
      usage: { input: 5, cacheRead: 2 },
    })
  })
})

describe("a mistake in a script names the file and the line", () => {
  it.each([
    ["{oops", /^a\.jsonl:2: This is not JSON; a reply is one object on one line\. .+\.$/],
    ['"text"', 'a.jsonl:2: A reply must be an object, got "text".'],
    ['{"txt": "Hi"}', /^a\.jsonl:2: A reply has an unknown key "txt"\. Known: reply, usage, finish, text, /],
    ["{}", "a.jsonl:2: An item needs one of text, reasoning, tool, wait, stall, error, event, got {}."],
    ['{"text": 5}', "a.jsonl:2: text must be a string, got 5."],
    ['{"text": "a", "tool": "b"}', /^a\.jsonl:2: An item needs one of text, reasoning, tool,/],
    ['{"text": "a", "input": {}}', 'a.jsonl:2: An item with "text" has an unknown key "input". Known: text.'],
    ['{"tool": "a", "input": {}, "arguments": ""}', 'a.jsonl:2: A tool call has "input" or "arguments", not both.'],
    ['{"reply": "Hi"}', 'a.jsonl:2: "reply" must be a list, got "Hi".'],
    ['{"reply": [], "text": "Hi"}', 'a.jsonl:2: "text" cannot stand beside "reply": put it into the list.'],
    ['{"wait": -1}', "a.jsonl:2: wait must be a number, 0 to 2147483647, got -1."],
    ['{"wait": 1e999}', "a.jsonl:2: wait must be a number, 0 to 2147483647, got Infinity."],
    ['{"wait": 2147483648}', "a.jsonl:2: wait must be a number, 0 to 2147483647, got 2147483648."],
    ['{"tool": ""}', "a.jsonl:2: tool must be a name, got an empty string."],
    [
      '{"reply": [{"stall": true}, {"text": "a"}]}',
      /^a\.jsonl:2: Nothing is said after "stall": make it the last item/,
    ],
    [
      '{"reply": [{"error": {"kind": "auth"}}, {"wait": 1}]}',
      /^a\.jsonl:2: Nothing is said after "error": make it the/,
    ],
    [
      '{"error": {"kind": "auth", "retryAfter": -1}}',
      "a.jsonl:2: error.retryAfter must be a number, 0 or more, got -1.",
    ],
    [
      '{"error": {"kind": "auth", "retryAfter": 1e999}}',
      /error\.retryAfter must be a number, 0 or more, got Infinity\.$/,
    ],
    ['{"text": "a", "usage": {"output": -5}}', "a.jsonl:2: usage.output must be a number, 0 or more, got -5."],
    ['{"text": "a", "usage": {"output": 1e999}}', /usage\.output must be a number, 0 or more, got Infinity\.$/],
    ['{"stall": 1}', "a.jsonl:2: stall must be true, got 1."],
    ['{"error": {"kind": "bad"}}', /^a\.jsonl:2: error\.kind must be one of transient, .+, got "bad"\.$/],
    ['{"error": {"kind": "auth", "code": 1}}', /^a\.jsonl:2: error has an unknown key "code"\./],
    ['{"text": "a", "finish": "done"}', /^a\.jsonl:2: finish must be one of stop, .+, got "done"\.$/],
    ['{"text": "a", "usage": {"input": "5"}}', 'a.jsonl:2: usage.input must be a number, 0 or more, got "5".'],
    ['{"event": {"type": "start"}}', "a.jsonl:2: event.id must be a string, got undefined."],
    ['{"pace": {}}', "a.jsonl:2: The header must be the first line, and there can be one only."],
  ])("%s", (line, message) => {
    const parse = () => parseScript(`{"text": "First."}\n${line}`, "a.jsonl")

    expect(parse).toThrow(ProviderError)
    expect(parse).toThrow(message)
  })

  it.each([
    ['{"pace": 5}', "a.jsonl:1: pace must be an object, got 5."],
    ['{"pace": {}}', "a.jsonl:1: pace.charactersPerSecond must be a number, 0 or more, got undefined."],
    [
      '{"pace": {"charactersPerSecond": 1e999}}',
      "a.jsonl:1: pace.charactersPerSecond must be a number, 0 or more, got Infinity.",
    ],
    ['{"position": "random"}', 'a.jsonl:1: position must be one of history, sequence, got "random".'],
    ['{"model": {"prize": 1}}', /^a\.jsonl:1: model has an unknown key "prize"\./],
    [
      '{"model": {"limit": {"context": "8k"}}}',
      'a.jsonl:1: model.limit.context must be a number, 0 or more, got "8k".',
    ],
  ])("in the header: %s", (line, message) => {
    expect(() => parseScript(line, "a.jsonl")).toThrow(message)
  })
})
