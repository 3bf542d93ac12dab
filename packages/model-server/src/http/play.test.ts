import { describe, expect, it } from "vitest"
import {
  chatBody,
  finishOf,
  post,
  readAnswer,
  readChunks,
  readData,
  readToEnd,
  readUntil,
  toData,
} from "../../test/chat-client.ts"
import {
  badJson,
  call,
  cut,
  deltas,
  end,
  modelServer,
  pings,
  reply,
  stall,
  start,
  streamError,
  text,
  wait,
} from "../index.ts"

const whole = chatBody({ stream: false })

describe("keep-alives", () => {
  it("are comments between what is said, and no chunks", async () => {
    await using server = await modelServer({
      replies: [reply(pings({ every: 1, times: 2 }), text("a"), pings({ every: 1, times: 1 }), text("b"))],
    })

    const { body, complete } = await readToEnd(await post(server))

    expect(complete).toBe(true)
    expect(body.split(/^: keep-alive\n\n/m)).toHaveLength(4)
    expect(body.startsWith(": keep-alive")).toBe(true)
    expect(body).toContain('"finish_reason":"stop"')
  })
})

describe("faults in a stream", () => {
  it("cuts the connection after everything said before has arrived", async () => {
    await using server = await modelServer({ replies: [reply(text(["a", "b"]), cut())] })

    const { body, complete } = await readToEnd(await post(server))

    expect(complete).toBe(false)
    expect(toData(body).map((data) => JSON.parse(data).choices[0].delta.content)).toEqual(["", "a", "b"])
  })

  it("cuts before the status line when nothing was said", async () => {
    await using server = await modelServer({ replies: [reply(cut())] })

    await expect(post(server)).rejects.toThrow("fetch failed")
    await server.idle()

    expect(server.requests[0]).toMatchObject({ status: undefined, aborted: false })
  })

  it("loses no byte of a long text before a cut", async () => {
    await using server = await modelServer({ replies: [reply(deltas({ text: "abc ", count: 5_000 }), cut())] })

    const { body, complete } = await readToEnd(await post(server))

    expect(complete).toBe(false)
    expect(toData(body).length).toBe(5_001)
  })

  it("ends the body cleanly without finish and [DONE]", async () => {
    await using server = await modelServer({ replies: [reply(text("a"), end()), reply(end())] })

    const { body, complete } = await readToEnd(await post(server))
    const nothing = await post(server)

    expect(complete).toBe(true)
    expect(toData(body).map((data) => JSON.parse(data).choices[0].finish_reason)).toEqual([null, null])
    expect(nothing.status).toBe(200)
    expect(await nothing.text()).toBe("")
  })

  it("sends a line that is not JSON and goes on", async () => {
    await using server = await modelServer({ replies: [reply(text("a"), badJson(), text("b"))] })

    const data = await readData(await post(server))

    expect(() => JSON.parse(data[2] ?? "")).toThrow(SyntaxError)
    expect(JSON.parse(data[3] ?? "").choices[0].delta.content).toBe("b")
    expect(data.at(-1)).toBe("[DONE]")
  })

  it("reports an error inside the stream and ends it", async () => {
    await using server = await modelServer({ replies: [reply(text("a"), streamError("Overloaded", { code: "busy" }))] })

    const chunks = await readChunks(await post(server))

    expect(chunks.at(-1)).toEqual({ error: { message: "Overloaded", type: "server_error", param: null, code: "busy" } })
    expect(finishOf(chunks)).toBeUndefined()
  })

  it("stalls until the client leaves, and notices that", async () => {
    await using server = await modelServer({ replies: [reply(text("a"), stall())] })
    const leaving = new AbortController()
    await readUntil(await post(server, chatBody(), { signal: leaving.signal }), '"a"')
    expect(server.requests[0]?.aborted).toBe(false)

    leaving.abort()
    await server.idle()

    expect(server.requests[0]).toMatchObject({ aborted: true, status: 200 })
  })

  it("shows the status line and the opening with start(), before it is silent", async () => {
    await using server = await modelServer({ replies: [reply(start(), stall())] })

    const response = await post(server)

    expect(response.status).toBe(200)
    await readUntil(response, '"role":"assistant"')
  })
})

describe("faults in a body that is not streamed", () => {
  it.each([
    ["cut", cut(), false],
    ["end", end(), true],
    ["bad-json", badJson(), true],
  ])("sends half of the body for %s", async (_name, fault, isComplete) => {
    await using server = await modelServer({ replies: [reply(text("a"), fault)] })

    const { body, complete } = await readToEnd(await post(server, whole))

    expect(complete).toBe(isComplete)
    expect(body).toMatch(/^\{"id":/)
    expect(() => JSON.parse(body)).toThrow(SyntaxError)
  })

  it("sends half of the body before a stall, and notices that the client leaves", async () => {
    await using server = await modelServer({ replies: [reply(text("a"), stall())] })
    const leaving = new AbortController()
    await readUntil(await post(server, whole, { signal: leaving.signal }), "chat.completion")

    leaving.abort()
    await server.idle()

    expect(server.requests[0]?.aborted).toBe(true)
  })

  it("cuts before the status line when nothing was said, and turns an error into status 500", async () => {
    await using server = await modelServer({ replies: [reply(cut()), reply(call("ls"), streamError("Overloaded"))] })

    await expect(post(server, whole)).rejects.toThrow("fetch failed")
    const failed = await post(server, whole)

    expect(failed.status).toBe(500)
    expect((await readAnswer(failed)).error.message).toBe("Overloaded")
  })
})

describe("wait", () => {
  it.each([true, false])("delays what comes after it (stream: %s)", async (stream) => {
    await using server = await modelServer({ replies: [reply(wait(40), text("a"), wait(40))] })
    const begin = performance.now()

    await (await post(server, chatBody({ stream }))).text()

    // Timers may fire up to a millisecond early.
    expect(performance.now() - begin).toBeGreaterThanOrEqual(78)
  })

  it("sends what was said before it at once, and ends when the client leaves", async () => {
    await using server = await modelServer({ replies: [reply(text("a"), wait(3_600_000), text("b"))] })
    const leaving = new AbortController()
    await readUntil(await post(server, chatBody(), { signal: leaving.signal }), '"a"')

    leaving.abort()
    await server.idle()

    expect(server.requests[0]?.aborted).toBe(true)
  })
})
