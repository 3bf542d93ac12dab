import { describe, expect, it } from "vitest"
import { readEvents } from "../../../test/event-stream.ts"
import { geminiBody, postGemini } from "../../../test/google-client.ts"
import { call, modelServer, reasoning, reply, streamError, text, usage, type AnswerReply } from "../../index.ts"
import { signatureOf } from "../signature.ts"
import { toCallSignature } from "./call-signature.ts"

/** The parts of a streamed answer in order, and the finish behind them. */
async function streamed(said: AnswerReply) {
  await using server = await modelServer({ replies: [said] })
  const events = await readEvents(await postGemini(server))
  const candidates = events.map(({ data }) => (data.candidates as Candidate[])[0])
  return {
    events,
    parts: candidates.flatMap((each) => each?.content.parts ?? []),
    finish: candidates.at(-1)?.finishReason,
  }
}

interface Candidate {
  readonly content: { readonly parts: readonly object[] }
  readonly finishReason?: string
}

describe("a Gemini answer", () => {
  it("sends each delta and each whole call as a part", async () => {
    const { parts, finish } = await streamed(reply(text(["a", "b"]), call("read", ['{"x"', ":1}"]), call("ls", "")))

    expect(parts).toEqual([
      { text: "a" },
      { text: "b" },
      {
        functionCall: { id: "call_1", name: "read", args: { x: 1 } },
        thoughtSignature: toCallSignature("read", { x: 1 }),
      },
      { functionCall: { id: "call_2", name: "ls", args: {} } },
      { text: "" },
    ])
    expect(finish).toBe("STOP")
  })

  it("signs the first call with what the script says, else an empty text behind thoughts", async () => {
    const called = await streamed(reply(reasoning("Hm", { signature: "mine" }), call("read")))
    const spoken = await streamed(reply(reasoning("Hm"), text("Hi")))

    expect(called.parts).toMatchObject([{ text: "Hm", thought: true }, { thoughtSignature: "mine" }, { text: "" }])
    expect(spoken.parts).toEqual([
      { text: "Hm", thought: true },
      { text: "Hi" },
      { text: "", thoughtSignature: signatureOf("Hm") },
    ])
  })

  it("finishes as malformed, without the call, when its arguments are no object", async () => {
    const { parts, finish } = await streamed(reply(text("a"), call("read", "{oops")))

    expect(parts).toEqual([{ text: "a" }, { text: "" }])
    expect(finish).toBe("MALFORMED_FUNCTION_CALL")
  })

  it("counts the input in each response and everything in the last one, without overlap", async () => {
    const counts = usage({ inputTokens: 100, cachedTokens: 60, outputTokens: 20, reasoningTokens: 5 })
    const { events } = await streamed(reply(text("Hi"), counts))

    expect(events.map(({ data }) => data.usageMetadata)).toMatchObject([
      { promptTokenCount: 100, totalTokenCount: 100 },
      {
        promptTokenCount: 100,
        cachedContentTokenCount: 60,
        candidatesTokenCount: 15,
        thoughtsTokenCount: 5,
        totalTokenCount: 120,
      },
    ])
  })

  it("holds all parts when it is not streamed, and the model of the path", async () => {
    await using server = await modelServer({ replies: [reply(reasoning("Hm"), text(["a", "b"]), call("ls"))] })

    const response = await postGemini(server, geminiBody(), "generateContent")

    expect(await response.json()).toMatchObject({
      candidates: [
        {
          content: {
            role: "model",
            parts: [{ text: "Hm", thought: true }, { text: "ab" }, { functionCall: { name: "ls", args: {} } }],
          },
          finishReason: "STOP",
        },
      ],
      modelVersion: "gemini-3-scripted",
    })
  })

  it("reports an error inside the stream with its status", async () => {
    await using server = await modelServer({ replies: [reply(text("a"), streamError("No", { kind: "overloaded" }))] })

    const events = await readEvents(await postGemini(server))

    expect(events.at(-1)?.data).toEqual({ error: { code: 503, message: "No", status: "UNAVAILABLE" } })
  })

  it("takes the key of the query, and refuses models that the server does not have", async () => {
    await using server = await modelServer({ replies: [reply(text("a"))], apiKey: "k", models: ["gemini-3-scripted"] })
    const path = `${server.origin}/v1beta/models`
    const init = { method: "POST", body: JSON.stringify(geminiBody()) }

    const open = await fetch(`${path}/gemini-3-scripted:generateContent?key=k`, init)
    const other = await fetch(`${path}/gemini-1:generateContent?key=k`, init)

    expect(open.status).toBe(200)
    expect(other.status).toBe(404)
    expect(await other.json()).toMatchObject({ error: { code: 404, status: "NOT_FOUND" } })
  })
})
