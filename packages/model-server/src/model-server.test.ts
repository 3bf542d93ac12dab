import { once } from "node:events"
import { request as httpRequest } from "node:http"
import { describe, expect, it } from "vitest"
import { chatBody, post, readAnswer, readToEnd } from "../test/chat-client.ts"
import {
  chatRequest,
  httpError,
  modelServer,
  reply,
  stall,
  text,
  type ModelServer,
  type RecordedRequest,
  type Reply,
} from "./index.ts"

const ask = async (server: ModelServer, content: string) => {
  const response = await post(server, chatBody({ stream: false, messages: [{ role: "user", content }] }))
  const body = await readAnswer(response)
  return response.ok ? body.choices[0]?.message.content : `${response.status}: ${body.error.message}`
}

describe("replies", () => {
  it("are played in order, and their end is an error that names their number", async () => {
    await using server = await modelServer({ replies: [reply(text("one")), reply(text("two"))] })

    const answers = [await ask(server, "a"), await ask(server, "b"), await ask(server, "c"), await ask(server, "d")]

    expect(answers.slice(0, 2)).toEqual(["one", "two"])
    expect(answers[2]).toMatch(/^500: The script had 2 replies, and this is request 3\./)
    expect(server.exhausted).toBe(2)
  })

  it("start over with repeat", async () => {
    await using server = await modelServer({ replies: [reply(text("one")), reply(text("two"))], repeat: true })

    expect([await ask(server, "a"), await ask(server, "b"), await ask(server, "c")]).toEqual(["one", "two", "one"])
    expect(server.exhausted).toBe(0)
  })

  it("may be chosen by looking at the request and its number", async () => {
    await using server = await modelServer({
      replies: async (request, index) => {
        const asked = JSON.stringify(chatRequest(request).messages[0]?.content)
        return reply(text(`${index}: ${asked}?`))
      },
    })

    expect([await ask(server, "a"), await ask(server, "b")]).toEqual(['0: "a"?', '1: "b"?'])
  })

  it("of a function count as exhausted when there is none", async () => {
    await using server = await modelServer({ replies: () => undefined })

    expect(await ask(server, "a")).toMatch(/^500: The reply function returned nothing for request 1\./)
    expect(server.exhausted).toBe(1)
  })

  it("of a function that throws or returns something else are an error with its message", async () => {
    const results = [
      () => {
        throw new Error("no such case")
      },
      () => [text("forgot reply()")] as unknown as Reply,
    ]
    await using server = await modelServer({ replies: (_request, index) => results[index]?.() })

    expect(await ask(server, "a")).toMatch(/^500: .*no such case/)
    expect(await ask(server, "b")).toMatch(/^500: .*for request 2 is not a reply: wrap its steps in reply/)
    expect(server.exhausted).toBe(0)
  })

  it("that are none are found when the server starts", async () => {
    const starting = modelServer({ replies: [reply(), text("a") as unknown as Reply] })

    await expect(starting).rejects.toThrow("replies[1] is not a reply")
  })

  it("wait for the delay", async () => {
    await using server = await modelServer({ replies: [reply(text("late"))], delay: 40 })
    const begin = performance.now()

    expect(await ask(server, "a")).toBe("late")
    // Timers may fire up to a millisecond early.
    expect(performance.now() - begin).toBeGreaterThanOrEqual(39)
  })
})

describe("requests", () => {
  it("are recorded with their exact bytes, headers and times", async () => {
    await using server = await modelServer({ replies: [reply(text("Hi"))] })
    const bytes = `{ "model":"ünï", "messages":[{"role":"user","content":"\\u0041"}] }`
    const begin = performance.now()

    await (await post(server, bytes, { headers: { "x-session": "s1" } })).text()
    await server.idle()

    const [request] = server.requests
    expect(request).toMatchObject({
      method: "POST",
      path: "/v1/chat/completions",
      headers: { "x-session": "s1" },
      body: { model: "ünï", messages: [{ role: "user", content: "A" }] },
      status: 200,
      aborted: false,
    })
    expect(request?.raw.toString()).toBe(bytes)
    expect(request?.firstByteAt).toBeGreaterThanOrEqual(begin)
    expect(request?.receivedAt).toBeGreaterThanOrEqual(request?.firstByteAt ?? Infinity)
  })

  it("are announced, and not kept with record: false", async () => {
    const announced: RecordedRequest[] = []
    await using server = await modelServer({
      replies: [reply(text("Hi"))],
      record: false,
      onRequest: (request) => announced.push(request),
    })

    await ask(server, "a")
    await server.received(1)

    expect(announced.map((request) => request.path)).toEqual(["/v1/chat/completions"])
    expect(server.requests).toEqual([])
  })

  it("can be waited for", async () => {
    await using server = await modelServer({ replies: [reply(text("Hi"))], repeat: true })
    const waiting = server.received(2)

    await Promise.all([ask(server, "a"), ask(server, "b")])

    expect(await waiting).toHaveLength(2)
  })

  it("that never come reject the wait when the server closes", async () => {
    await using server = await modelServer({ replies: [] })
    const waiting = Promise.allSettled([server.received(1)])

    await server.close()

    const [{ status, reason }] = (await waiting) as [PromiseRejectedResult]
    expect(status).toBe("rejected")
    expect(String(reason)).toContain("closed after 0 of 1 expected requests")
  })

  it("whose client leaves during the upload are recorded as aborted and spend no reply", async () => {
    await using server = await modelServer({ replies: [reply(text("Hi"))] })
    const upload = httpRequest(`${server.url}/chat/completions`, {
      method: "POST",
      headers: { "content-length": 1_000, expect: "100-continue" },
    })
    upload.on("error", () => upload.destroy())
    upload.flushHeaders()
    await once(upload, "continue")

    await new Promise((resolve) => upload.write(JSON.stringify(chatBody()), resolve))
    upload.destroy()
    await server.received(1)

    expect(server.requests[0]).toMatchObject({ aborted: true, status: undefined })
    expect(await ask(server, "a")).toBe("Hi")
  })
})

describe("a mistake of the test's own", () => {
  const boom = new Error("boom")

  it("in onRequest is answered with status 500, kept in errors, and thrown by close", async () => {
    let calls = 0
    const server = await modelServer({
      replies: [reply(text("Hi"))],
      onRequest() {
        if (calls++ === 0) throw boom
      },
    })

    expect(await ask(server, "a")).toBe("500: The model server failed: Error: boom")
    expect(await ask(server, "b")).toBe("Hi")

    expect(server.errors).toEqual([boom])
    await expect(server.close()).rejects.toBe(boom)
    await expect(post(server)).rejects.toThrow("fetch failed")
  })

  it("in onRequest is kept in errors also when the client has left", async () => {
    const server = await modelServer({
      replies: [],
      onRequest() {
        throw boom
      },
    })
    const upload = httpRequest(`${server.url}/chat/completions`, {
      method: "POST",
      headers: { "content-length": 1_000, expect: "100-continue" },
    })
    upload.on("error", () => upload.destroy())
    upload.flushHeaders()
    await once(upload, "continue")

    upload.destroy()

    await expect.poll(() => server.errors).toEqual([boom])
    await expect(server.close()).rejects.toBe(boom)
  })

  it("in a body that is no JSON is answered with status 500", async () => {
    const server = await modelServer({ replies: [httpError(503, { body: { count: 1n } })] })

    expect(await ask(server, "a")).toMatch(/^500: The model server failed: TypeError: .*BigInt/)

    await expect(server.close()).rejects.toBeInstanceOf(TypeError)
  })

  it("after the head of an answer breaks the answer off", async () => {
    const badStep = { type: "deltas", texts: ["a"], count: Number.NaN } as const
    const server = await modelServer({ replies: [{ ...reply(text("Hi")), steps: [text("Hi"), badStep] }] })

    const { complete } = await readToEnd(await post(server))

    expect(complete).toBe(false)
    expect(server.errors).toHaveLength(1)
    await expect(server.close()).rejects.toBe(server.errors[0])
  })

  it("in the delay is found when the server starts", async () => {
    await expect(modelServer({ replies: [], delay: 2 ** 31 })).rejects.toThrow(
      "The delay of a model server needs 0 to 2147483647 milliseconds, got 2147483648.",
    )
    await expect(modelServer({ replies: [], delay: Number.NaN })).rejects.toThrow("got NaN")
  })
})

describe("close", () => {
  it("ends a connection that stalls, which is no abort by the client", async () => {
    await using server = await modelServer({ replies: [reply(stall())] })
    const asking = Promise.allSettled([post(server)])
    await server.received(1)

    await server.close()

    expect((await asking)[0].status).toBe("rejected")
    expect(server.requests[0]?.aborted).toBe(false)
  })

  it("does not wait for a reply function that hangs", async () => {
    await using server = await modelServer({ replies: () => new Promise(() => {}) })
    const asking = Promise.allSettled([post(server)])
    await server.received(1)

    await server.close()

    expect((await asking)[0].status).toBe("rejected")
  })

  it("may be called again, and frees the port", async () => {
    await using server = await modelServer({ replies: [] })

    await Promise.all([server.close(), server.close()])
    await server.close()

    await expect(post(server)).rejects.toThrow("fetch failed")
  })
})

it("runs beside another server without sharing anything", async () => {
  await using one = await modelServer({ replies: [reply(text("one"))] })
  await using two = await modelServer({ replies: [reply(text("two"))] })

  const answers = await Promise.all([ask(two, "b"), ask(one, "a"), ask(one, "again")])

  expect(answers[0]).toBe("two")
  expect(answers).toContain("one")
  expect(one.requests).toHaveLength(2)
  expect(two.requests).toHaveLength(1)
  expect([one.exhausted, two.exhausted]).toEqual([1, 0])
})
