import { describe, expect, it } from "vitest"
import { chatBody, post, readAnswer } from "../../test/chat-client.ts"
import { modelServer, reply, text, type ModelServerOptions } from "../index.ts"

const replies = [reply(text("Hi"))]

async function ask(options: Partial<ModelServerOptions>, body?: object | string, headers: Record<string, string> = {}) {
  await using server = await modelServer({ replies, ...options })
  const response = await post(server, body, { headers })
  const error = response.ok ? undefined : (await readAnswer(response)).error
  await server.idle()
  return { status: response.status, error, recorded: server.requests[0] }
}

describe("admission", () => {
  it("refuses what the validation refuses with the error shape of the API", async () => {
    const { status, error, recorded } = await ask({}, chatBody({ messages: [] }))

    expect(status).toBe(400)
    expect(error).toEqual({
      message: expect.stringMatching(/^messages:/),
      type: "invalid_request_error",
      param: null,
      code: null,
    })
    expect(recorded).toMatchObject({ status: 400, body: { messages: [] } })
  })

  it("accepts anything that is a JSON object when it is not strict", async () => {
    expect((await ask({ strict: false }, { stream: true })).status).toBe(200)
    expect((await ask({ strict: false }, "[]")).status).toBe(400)
  })

  it("refuses a body that is not JSON and records its bytes", async () => {
    const { status, error, recorded } = await ask({}, '{"model": ')

    expect(status).toBe(400)
    expect(error?.message).toContain("not valid JSON")
    expect(recorded?.body).toBeUndefined()
    expect(recorded?.raw.toString()).toBe('{"model": ')
  })

  it("refuses a body over the limit and keeps none of it", async () => {
    const body = JSON.stringify(chatBody())
    expect((await ask({ bodyLimit: body.length }, body)).status).toBe(200)

    const { status, error, recorded } = await ask({ bodyLimit: body.length - 1 }, body)

    expect(status).toBe(413)
    expect(error?.message).toContain(`${body.length - 1} bytes`)
    expect(recorded?.raw.length).toBe(0)
  })

  it("answers a client whose body is far over the limit", async () => {
    expect((await ask({ bodyLimit: 1_000 }, "x".repeat(5_000_000))).status).toBe(413)
  })

  it("refuses a missing or wrong key", async () => {
    const wrong = await ask({ apiKey: "secret" }, chatBody(), { authorization: "Bearer other" })
    const missing = await ask({ apiKey: "secret" })
    const right = await ask({ apiKey: "secret" }, chatBody(), { authorization: "Bearer secret" })

    expect([wrong.status, missing.status, right.status]).toEqual([401, 401, 200])
    expect(wrong.error?.code).toBe("invalid_api_key")
  })

  it("knows only the models it was given", async () => {
    const known = await ask({ models: ["small", "scripted"] })
    const unknown = await ask({ models: ["small", "large"] })

    expect(known.status).toBe(200)
    expect(unknown.status).toBe(404)
    expect(unknown.error).toMatchObject({ code: "model_not_found", param: "model" })
    expect(unknown.error?.message).toContain("small, large")
  })

  it("spends no reply on a refused request", async () => {
    await using server = await modelServer({ replies })

    await post(server, {})
    const accepted = await post(server)

    expect(await accepted.text()).toContain("Hi")
    expect(server.exhausted).toBe(0)
  })
})
