import { describe, expect, it } from "vitest"
import { post } from "../../test/chat-client.ts"
import { contextOverflow, httpError, modelServer, rateLimit, unauthorized, type Reply } from "../index.ts"

async function answer(reply: Reply) {
  await using server = await modelServer({ replies: [reply] })
  const response = await post(server)
  return { status: response.status, headers: response.headers, body: await response.text() }
}

describe("an HTTP error reply", () => {
  it.each([
    [httpError(400), 400, "invalid_request_error", null],
    [httpError(404, { kind: "unknown-model" }), 404, "invalid_request_error", "model_not_found"],
    [httpError(503), 503, "server_error", null],
    [httpError(429, { code: "insufficient_quota" }), 429, "requests", "insufficient_quota"],
    [rateLimit(), 429, "requests", "rate_limit_exceeded"],
    [unauthorized(), 401, "invalid_request_error", "invalid_api_key"],
    [contextOverflow(), 400, "invalid_request_error", "context_length_exceeded"],
  ])("has the error shape of the API (%#)", async (reply, status, type, code) => {
    const received = await answer(reply)

    expect(received.status).toBe(status)
    expect(JSON.parse(received.body).error).toMatchObject({ message: reply.message ?? expect.any(String), type, code })
  })

  it("carries its own headers and body", async () => {
    const json = await answer(httpError(418, { headers: { "x-teapot": "yes" }, body: { pot: 1 } }))
    const page = await answer(
      httpError(502, { headers: { "content-type": "text/html" }, body: "<h1>Bad gateway</h1>" }),
    )

    expect(json.headers.get("x-teapot")).toBe("yes")
    expect(json.body).toBe('{"pot":1}')
    expect(page.headers.get("content-type")).toBe("text/html")
    expect(page.body).toBe("<h1>Bad gateway</h1>")
  })

  it("tells when to retry, in seconds", async () => {
    expect((await answer(rateLimit({ retryAfter: 7 }))).headers.get("retry-after")).toBe("7")
    expect((await answer(rateLimit())).headers.get("retry-after")).toBeNull()
  })

  it("needs an error status", () => {
    expect(() => httpError(200)).toThrow("from 400 to 599, got 200")
  })

  it("needs headers that HTTP can carry", () => {
    expect(() => httpError(503, { headers: { "x-a": "two\nlines" } })).toThrow('header content ["x-a"]')
    expect(() => httpError(503, { headers: { "x a": "b" } })).toThrow('["x a"]')
  })
})
