import { describe, expect, it } from "vitest"
import { readAnswer, type Answer } from "../../test/chat-client.ts"
import { modelServer, type ModelServerOptions } from "../index.ts"

async function get(path: string, options: Partial<ModelServerOptions> = {}, init: RequestInit = {}) {
  await using server = await modelServer({ replies: [], ...options })
  const response = await fetch(new URL(path, server.url), init)
  return { response, body: await readAnswer(response) }
}

function ids({ body }: { body: Answer }): string[] {
  return body.data.map((model) => model.id)
}

describe("routes", () => {
  it("lists its models", async () => {
    expect(ids(await get("/v1/models"))).toEqual(["scripted"])
    expect(ids(await get("/v1/models?limit=5", { models: ["small", "large"] }))).toEqual(["small", "large"])
  })

  it("asks for the key before it lists models", async () => {
    const { response } = await get("/v1/models", { apiKey: "secret" })

    expect(response.status).toBe(401)
  })

  it("answers 404 for an unknown path and names the known ones", async () => {
    const { response, body } = await get("/v1/completions", {}, { method: "POST", body: "{}" })

    expect(response.status).toBe(404)
    expect(body.error.code).toBe("unknown_url")
    expect(body.error.message).toContain("POST /v1/chat/completions")
    expect(body.error.message).toContain("POST /v1beta/models/{model}:streamGenerateContent")
  })

  it("answers 405 for a wrong method", async () => {
    const { response } = await get("/v1/chat/completions")

    expect(response.status).toBe(405)
    expect(response.headers.get("allow")).toBe("POST")
  })

  it("answers a wrong method in the shape of the path's own API", async () => {
    const { response, body } = await get("/v1/messages")

    expect(response.status).toBe(405)
    expect(body).toMatchObject({ type: "error", error: { type: "invalid_request_error" } })
  })
})
