import { ProviderError } from "@pawl/core/provider"
import {
  badJson,
  call,
  contextOverflow,
  cut,
  end,
  httpError,
  modelServer,
  rateLimit,
  reply,
  type Reply,
  stall,
  start,
  streamError,
  text,
  unauthorized,
} from "@pawl/model-server"
import { describe, expect, it } from "vitest"
import { acme, ask, rawServer, request } from "../test/session.ts"
import { openAICompatible, type OpenAICompatibleOptions } from "./openai-compatible.ts"

/** What asking a server throws, with its address written as `SERVER`. */
async function failure(server: { url: string }, options: Partial<OpenAICompatibleOptions> = {}) {
  const error: unknown = await ask(acme(server, options)).catch((thrown: unknown) => thrown)
  if (!(error instanceof ProviderError)) throw new Error(`Not a ProviderError: ${String(error)}`)
  return { error, kind: error.kind, message: error.message.replaceAll(server.url, "SERVER"), details: error.details }
}

describe("an error answer", () => {
  it.each<[string, Reply, object]>([
    [
      "401",
      unauthorized({ message: "Wrong key." }),
      {
        kind: "auth",
        message:
          'The server at SERVER refused the key (401): Wrong key. Set "apiKey" in the options of provider "acme".',
      },
    ],
    [
      "429 with a time to wait",
      rateLimit({ retryAfter: 7, message: "Slow down." }),
      {
        kind: "rate-limited",
        message: "The server at SERVER limits the rate of requests (429): Slow down. It asks to wait 7 s.",
        details: { retryAfter: 7000, statusCode: 429 },
      },
    ],
    [
      "429 without money",
      httpError(429, { code: "insufficient_quota", message: "Pay first." }),
      {
        kind: "quota-exhausted",
        message:
          "The server at SERVER has no quota left for this account (429): Pay first. Add credit, or choose another model.",
      },
    ],
    [
      "500",
      httpError(500, { message: "Oops" }),
      { kind: "transient", message: "The server at SERVER failed (500): Oops." },
    ],
    ["529", httpError(529, { message: "Overloaded" }), { kind: "transient", details: { statusCode: 529 } }],
    [
      "400, too long",
      contextOverflow({ message: "The request is longer than the maximum context length of the model." }),
      {
        kind: "overflow",
        message:
          "The server at SERVER finds the request too long for the model (400): " +
          "The request is longer than the maximum context length of the model.",
      },
    ],
    ["400", httpError(400, { message: "No such option." }), { kind: "invalid-request" }],
    ["502 with a web page", httpError(502, { body: "<html>Bad Gateway</html>" }), { kind: "transient" }],
  ])("%s is a ProviderError of its kind", async (_name, answer, expected) => {
    await using server = await modelServer({ replies: [answer] })

    expect(await failure(server)).toMatchObject(expected)
    expect(server.requests).toHaveLength(1)
  })

  it("404 names the model", async () => {
    await using server = await modelServer({ replies: [], models: ["large"] })

    const { kind, message } = await failure(server)

    expect(kind).toBe("invalid-request")
    expect(message).toMatch(/^The server at SERVER rejected the request \(404\): .*small/)
  })

  it("asks to check a key that there is, and does not show it", async () => {
    const apiKey = "correct-horse-battery"
    await using server = await modelServer({ replies: [unauthorized({ message: `Wrong key ${apiKey}.` })] })

    const { error, message } = await failure(server, { apiKey })

    expect(message).toBe(
      'The server at SERVER refused the key (401): Wrong key ***. Check "apiKey" in the options of provider "acme".',
    )
    expect(JSON.stringify([error.message, error.details])).not.toContain("horse")
  })

  it("hides keys that go in a header or in the query", async () => {
    await using server = await modelServer({
      replies: [httpError(400, { message: "Bad secret-one, bad secret-two." })],
    })

    const { message } = await failure(server, {
      headers: { "x-api-key": "secret-one" },
      query: { token: "secret-two" },
    })

    expect(message).toContain("Bad ***, bad ***.")
  })
})

describe("an answer that does not come to its end", () => {
  it.each<[string, Reply, object]>([
    [
      "is reset in a text",
      reply(text("Half a "), cut()),
      { kind: "incomplete-stream", message: "The server at SERVER broke off: the connection was reset." },
    ],
    ["is reset in a tool call", reply(call("read", ['{"pa']), cut()), { kind: "incomplete-stream" }],
    [
      "ends without a finish",
      reply(text("Half a "), end()),
      {
        kind: "incomplete-stream",
        message: "The server at SERVER broke off: Response stream ended without a finish reason.",
      },
    ],
    ["ends without anything", reply(end()), { kind: "incomplete-stream" }],
    [
      "holds an event that is not JSON",
      reply(text("a"), badJson(), text("b")),
      { kind: "incomplete-stream", message: "The server at SERVER broke off: it holds an event that is not JSON." },
    ],
    [
      "holds an error",
      reply(text("a"), streamError("Oops", { code: "server_error" })),
      { kind: "transient", message: "The server at SERVER failed: Oops." },
    ],
    [
      "holds the error that it is too long",
      reply(streamError("Too much", { code: "context_length_exceeded" })),
      { kind: "overflow" },
    ],
  ])("when it %s", async (_name, answer, expected) => {
    await using server = await modelServer({ replies: [answer] })

    expect(await failure(server)).toMatchObject(expected)
    expect(server.requests).toHaveLength(1)
  })

  it("gives what came before", async () => {
    await using server = await modelServer({ replies: [reply(text("Half a "), end())] })
    const model = await acme(server).model("small")
    const seen: string[] = []

    const reading = async () => {
      for await (const event of model.stream(request(), new AbortController().signal)) {
        if (event.type === "text-delta") seen.push(event.text)
      }
    }

    await expect(reading()).rejects.toBeInstanceOf(ProviderError)
    expect(seen).toEqual(["Half a "])
  })
})

describe("no answer", () => {
  it("since nothing listens there", async () => {
    const server = await rawServer(() => {})
    await server[Symbol.asyncDispose]()

    expect(await failure(server)).toMatchObject({
      kind: "transport",
      message: "Cannot reach SERVER: connection refused. Is the server running?",
    })
  })

  it("since the connection is reset before one", async () => {
    await using server = await modelServer({ replies: [reply(cut())] })

    expect(await failure(server)).toMatchObject({
      kind: "transient",
      message: "The server at SERVER gave no answer: the connection was reset. Is the server running?",
    })
  })

  it("since the base URL is none", async () => {
    const provider = openAICompatible({ id: "acme", baseURL: "localhost:1234" })

    await expect(ask(provider)).rejects.toBeInstanceOf(ProviderError)
    await expect(provider.models()).rejects.toBeInstanceOf(ProviderError)
  })
})

describe("a document instead of a stream", () => {
  it.each<[string, string, string, object]>([
    [
      "an error",
      "application/json",
      '{"error":{"code":502,"message":"Nobody home"}}',
      { kind: "transient", message: "The server at SERVER failed (502): Nobody home." },
    ],
    [
      "a whole answer",
      "application/json; charset=utf-8",
      '{"choices":[{"message":{"content":"Hi"}}]}',
      {
        kind: "invalid-request",
        message:
          "The server at SERVER answered with a document instead of a stream of events. " +
          "Is this the base URL of an OpenAI-compatible API? Most of them end in /v1.",
      },
    ],
    ["a web page", "text/html", "<html>Log in</html>", { kind: "invalid-request" }],
    [
      "an error under another label",
      "text/plain",
      '\ufeff\n {"error":{"code":502,"message":"No"}}',
      { kind: "transient" },
    ],
    ["an error under no label", "", '[{"error":{"code":429,"message":"No"}}]', { kind: "rate-limited" }],
  ])("with status 200: %s", async (_name, type, body, expected) => {
    await using server = await rawServer((_request, response) => {
      response.writeHead(200, type === "" ? {} : { "content-type": type }).end(body)
    })

    expect(await failure(server)).toMatchObject(expected)
  })

  it.each<[string, number, Record<string, string>]>([
    ["status 204", 204, { "content-type": "text/event-stream" }],
    ["an empty body", 200, {}],
    ["a blank body", 200, { "content-type": "application/json" }],
  ])("with nothing in it, %s, is told as it is", async (name, status, headers) => {
    await using server = await rawServer((_request, response) => {
      response.writeHead(status, headers).end(name === "a blank body" ? " \n" : "")
    })

    expect(await failure(server)).toMatchObject({
      kind: "incomplete-stream",
      message:
        `The server at SERVER gave an empty answer (${status}) instead of a stream of events. ` +
        "Is this the base URL of an OpenAI-compatible API? Most of them end in /v1.",
    })
  })

  it.each([
    ["is one object on each line", (n: number) => `{"message":{"content":"word ${n}"},"done":false}\n`],
    ["never ends", (n: number) => (n === 0 ? '{"message":"' : "x".repeat(1024))],
  ])("is not read to an end that may be far away when it %s", async (_name, piece) => {
    await using server = await rawServer((_request, response) => {
      response.writeHead(200, { "content-type": "application/x-ndjson" })
      let n = 0
      const next = () => void (response.destroyed || response.write(piece(n++), next))
      next()
    })

    expect(await failure(server)).toMatchObject({
      kind: "invalid-request",
      message: expect.stringContaining("a document instead of"),
    })
  })

  it.each(["application/json", "application/octet-stream", "text/plain", ""])(
    "is a stream after all when only its label is wrong: %s",
    async (type) => {
      const events = [{ delta: { content: "Hi" } }, { delta: { content: "!" }, finish_reason: "stop" }]
      const [first, second] = events.map((choice) => `data: ${JSON.stringify({ choices: [choice] })}\n\n`)
      const goOn = Promise.withResolvers<void>()
      await using server = await rawServer((_request, response) => {
        response.writeHead(200, type === "" ? {} : { "content-type": type }).write(`\n${first}`)
        void goOn.promise.then(() => response.end(`${second}data: [DONE]\n\n`))
      })
      const model = await acme(server).model("small")
      const texts: string[] = []

      for await (const event of model.stream(request(), new AbortController().signal)) {
        if (event.type !== "text-delta") continue
        texts.push(event.text)
        // What has come is handed on before the rest is there.
        goOn.resolve()
      }

      expect(texts).toEqual(["Hi", "!"])
    },
  )
})

describe("a key", () => {
  it("is sent without the blanks around it", async () => {
    await using server = await modelServer({ replies: [reply(text("Hi"))], apiKey: "k-123456" })

    await ask(acme(server, { apiKey: " k-123456\n" }))

    expect(server.requests[0]?.headers.authorization).toBe("Bearer k-123456")
  })

  it.each([
    ["typographic quotes", "\u201Ck-123456\u201D", "U+201C"],
    ["a line break inside", "k-123\nk-456", "U+000A"],
  ])("with %s is refused before anything is sent", async (_name, apiKey, character) => {
    await using server = await modelServer({ replies: [] })

    const refusal = {
      kind: "auth",
      message: `The API key of provider "acme" holds a character that cannot be sent, ${character}. Check "apiKey" in the options of provider "acme".`,
    }
    expect(await failure(server, { apiKey })).toMatchObject(refusal)
    await expect(acme(server, { apiKey }).models()).rejects.toMatchObject(refusal)
    expect(server.requests).toEqual([])
  })
})

describe("a request that takes longer than its time limit", () => {
  it.each<[string, Reply]>([
    ["without an answer", reply(stall())],
    ["in the middle of one", reply(text("Half"), stall())],
  ])("ends %s, and the server sees the client go", async (_name, answer) => {
    await using server = await modelServer({ replies: [answer] })
    const { kind, message } = await failure(server, { timeout: 100 })
    expect(kind).toBe("transient")
    expect(message).toMatch(/SERVER.*time/)
    await server.idle()
    expect(server.requests[0]?.aborted).toBe(true)
  })
})

describe("abort", () => {
  it.each<[string, Reply, string | undefined]>([
    ["before the answer", reply(stall()), undefined],
    ["after its head", reply(start(), stall()), undefined],
    ["in the middle of it", reply(text("Half"), stall()), "text-delta"],
  ])("%s ends the stream, and the server sees the client go", async (_name, answer, last) => {
    await using server = await modelServer({ replies: [answer] })
    const controller = new AbortController()
    const model = await acme(server).model("small")
    const reading = async () => {
      for await (const event of model.stream(request(), controller.signal)) {
        if (event.type === last) controller.abort()
      }
    }
    if (last === undefined) void server.received(1).then(() => controller.abort())

    await expect(reading()).rejects.toMatchObject({ name: "AbortError" })
    await server.idle()
    expect(server.requests[0]?.aborted).toBe(true)
  })

  it("is what leaving the loop does to the connection", async () => {
    await using server = await modelServer({ replies: [reply(text("Half"), stall())] })
    const model = await acme(server).model("small")

    for await (const event of model.stream(request(), new AbortController().signal)) {
      if (event.type === "text-delta") break
    }

    await server.idle()
    expect(server.requests[0]?.aborted).toBe(true)
  })
})
