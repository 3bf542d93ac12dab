import type { ModelMessage, ModelRequest } from "@pawl/core/provider"
import { describe, expect, it } from "vitest"
import { parseScript } from "../script/parse-script.ts"
import { createCompareRequests } from "./compare-requests.ts"
import { createRecordingReader } from "./parse-recording.ts"
import { recordedModels } from "./recorded-models.ts"
import type { Recording } from "./recorded.ts"
import { createRecordingWriter } from "./recording-writer.ts"
import { createRequestLog } from "./request-log.ts"

const said = (text: string): ModelMessage => ({ role: "user", content: [{ type: "text", text }] })
const tool = { name: "read", description: "Reads.", inputSchema: { type: "object" } }

function request(sessionID: string, ...messages: readonly ModelMessage[]): ModelRequest {
  return { sessionID, system: ["You work.", "<env>"], messages, tools: [tool], settings: {}, headers: {} }
}

function read(lines: readonly string[]): Recording {
  const reader = createRecordingReader("run.jsonl")
  for (const line of lines) reader.take(line, true)
  return reader.end()
}

function written(write: (writer: ReturnType<typeof createRecordingWriter>) => void): string[] {
  const lines: string[] = []
  const writer = createRecordingWriter((line) => lines.push(line))
  writer.header({ recording: 1 })
  write(writer)
  return lines
}

const marks = (session: string, asked?: ModelRequest) => ({ session, by: "acme/large", request: asked })

describe("the requests of a recording", () => {
  it("are what was asked, though each line has only what is new in it", () => {
    const first = request("a", said("one"))
    const second = request("a", said("one"), said("two"))
    const other = { ...request("a", said("changed")), system: ["Another."] }
    const lines = written((writer) => {
      for (const asked of [first, second, other]) writer.reply({ reply: [{ text: "x" }] }, marks("s1", asked))
    })
    const recording = read(lines)
    const log = createRequestLog(recording.replies, recording)

    expect(lines.filter((line) => line.includes('"one"'))).toHaveLength(1)
    expect([0, 1, 2].map((at) => log.request(at)?.messages)).toEqual(
      [first, second, other].map(({ messages }) => messages),
    )
    expect(log.request(0)?.system).toEqual(first.system)
    expect(log.request(2)?.system).toEqual(["Another."])
    expect(log.request(2)?.tools).toEqual([tool])
  })

  it("are told apart by the first place that is another", () => {
    const compare = createCompareRequests((text) => text.replace("today", "a day"))
    const aspects = { system: true, tools: true }
    const one = request("a", said("first"), said("today"))

    expect(compare(one, request("b", said("first"), said("a day")), aspects)).toBeUndefined()
    expect(compare(one, request("b", said("first")), aspects)).toMatchObject({
      place: "message 2 (user)",
      got: undefined,
    })
    expect(compare(one, { ...one, system: ["You work.", "<else>"] }, aspects)).toMatchObject({
      place: "system block 2",
    })
    expect(compare(one, { ...one, tools: [] }, aspects)).toMatchObject({ place: "tool read", got: undefined })
    expect(compare(one, { ...one, tools: [] }, { ...aspects, tools: false })).toBeUndefined()
  })
})

describe("the models of a recording", () => {
  async function answers(recording: Recording, asked: readonly ModelRequest[]): Promise<(string | undefined)[]> {
    const heard: (string | undefined)[] = []
    const { providers } = recordedModels(recording, {
      nameOf: (id) => id,
      compare: createCompareRequests((text) => text),
      aspects: { system: true, tools: true },
      pace: 0,
      isOpenEnded: () => false,
      onRequest: ({ difference }) => heard.push(difference?.place),
    })
    const model = await providers[0]?.model("large")
    for (const each of asked) {
      let text = ""
      for await (const event of model?.stream(each, new AbortController().signal) ?? []) {
        if (event.type === "text-delta") text += event.text
      }
      heard.push(text)
    }
    return heard
  }

  const two = written((writer) => {
    writer.reply({ reply: [{ text: "to one" }] }, marks("s1", request("s1", said("one"))))
    writer.reply({ reply: [{ text: "to two" }] }, marks("s1", request("s1", said("two"))))
    writer.reply({ reply: [{ text: "below" }] }, marks("s2", request("s2", said("one"))))
  })

  it("answer each session with its own replies, and each request with the reply that it had", async () => {
    const asked = [request("s2", said("one")), request("s1", said("two")), request("s1", said("one"))]

    expect(await answers(read(two), asked)).toEqual([undefined, "below", undefined, "to two", undefined, "to one"])
  })

  it("answer another request with the next reply, and say where it is another", async () => {
    expect(await answers(read(two), [request("s1", said("three"))])).toEqual(["message 1 (user), part 1", "to one"])
  })

  it("give no reply to a later prompt before that is asked", async () => {
    const lines = ['{"prompt":"one"}', '{"tool":"x"}', '{"prompt":"two"}', '{"text":"to two"}']
    const prompts = [3, undefined]
    const models = recordedModels(read(lines), {
      ...{ nameOf: () => "s1", compare: createCompareRequests((text) => text), pace: 0, isOpenEnded: () => false },
      aspects: { system: true, tools: true },
      nextPrompt: () => prompts[0],
      onRequest: () => {},
    })
    const model = await models.providers[0]?.model("recorded")
    const asked = async () => {
      let text = ""
      for await (const event of model?.stream(request("a"), new AbortController().signal) ?? []) {
        if (event.type === "text-delta") text += event.text
      }
      return text
    }

    expect(await asked()).toBe("")
    await expect(asked()).rejects.toThrow("has no reply left for session s1")
    expect(models.unplayed()).toHaveLength(1)
    prompts.shift()
    expect(await asked()).toBe("to two")
  })

  it("keep to the order where a reply's request was not written down", async () => {
    const lines = written((writer) => {
      writer.reply({ reply: [{ text: "first" }] }, marks("s1", request("s1", said("one"))))
      writer.reply({ reply: [{ text: "second" }] }, marks("s1"))
    })

    expect(await answers(read(lines), [request("s1", said("three"))])).toEqual(["message 1 (user), part 1", "first"])
  })

  it("give an error that names the recording once nothing is left", async () => {
    await expect(answers(read(two), [request("s2", said("one")), request("s2", said("one"))])).rejects.toThrow(
      "The recording run.jsonl has no reply left for session s2.",
    )
  })
})

describe("a recording that is read", () => {
  it("takes plain lines of a script, written by hand", () => {
    const recording = read(["// mine", '{"prompt":"go"}', '{"tool":"read","input":{}}', '{"text":"done"}'])

    expect(recording.prompts[0]?.prompt).toEqual([{ type: "text", text: "go" }])
    expect(recording.replies.map(({ session, line }) => [session, line])).toEqual([
      ["s1", 3],
      ["s1", 4],
    ])
  })

  it.each([
    ['{"result":{"call":"a","tool":"b"}}', 'A result needs "output" or "error"'],
    ['{"prompt":[{"type":"exe","text":"x"}]}', "prompt[0].type must be one of text, file, agent, subtask"],
    ['{"reply":[],"request":{"keep":-1,"add":[]}}', "request.keep must be a number, 0 or more"],
    ['{"session":"s1","text":"x","by":7}', "by must be a string"],
    ["[1]", "A line must be an object"],
  ])("refuses %s, by its line", (line, words) => {
    expect(() => read(['{"recording":1}', line])).toThrow(`run.jsonl:2: ${words}`)
  })

  it("passes over a last line that is not whole, and over no other", () => {
    const reader = createRecordingReader("run.jsonl")
    reader.take('{"recording":1}', true)
    reader.take('{"session":"s1","te', false)

    expect(reader.end().isCut).toBe(true)
    expect(() => read(['{"recording":1}', '{"session":"s1","te'])).toThrow("run.jsonl:2: This is not JSON")
  })

  it("is a script of the replies of its conversations", () => {
    const lines = written((writer) => {
      writer.session({ session: "s1", id: "ses_1" })
      writer.prompt({ prompt: [{ type: "text", text: "go" }] })
      writer.reply({ reply: [{ text: "A title" }] }, marks("s1", { ...request("s1"), system: ["Name it."], tools: [] }))
      writer.reply({ reply: [{ text: "one" }] }, marks("s1", request("s1", said("go"))))
      writer.reply({ reply: [{ text: "two" }] }, marks("s2", request("s2", said("go"))))
      writer.result({ session: "s1", call: "c", tool: "read", input: {}, output: "" })
      writer.end({ type: "answered" })
    })

    const script = parseScript(lines.join("\n"), "run.jsonl")

    expect(script.replies.map(([step]) => step)).toMatchObject([{ chunks: ["one"] }, { chunks: ["two"] }])
    expect(script.header.position).toBe("sequence")
  })
})

describe("a line of a recording", () => {
  it("is what was said meanwhile when it tells how that was delivered", () => {
    const { prompts, deliveries } = read(['{"prompt":"one"}', '{"prompt":"two","delivery":"steer"}', '{"text":"x"}'])

    expect([prompts, deliveries].map((each) => each.map(({ line }) => line))).toEqual([[1], [2]])
    expect(() => read(['{"prompt":"one","delivery":"loudly"}'])).toThrow("run.jsonl:1: delivery must be one of steer")
  })

  it.each([499, 500, 100_000])("is refused where it is nested too deep: %d", (levels) => {
    const line = `{"settings":${"[".repeat(levels)}${"]".repeat(levels)},"recording":1}`
    const run = () => read([line, '{"prompt":"go"}'])
    if (levels > 499) expect(run).toThrow("run.jsonl:1: It is nested deeper than 500 levels.")
    else expect(run).toThrow("run.jsonl:1: settings must be an object")
  })
})
