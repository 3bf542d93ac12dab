import { call, finish, text } from "@pawl/provider-replay"
import { builtinTools } from "@pawl/tools"
import { describe, expect, it } from "vitest"
import { got, serving } from "../test/serving.ts"

const ls = { agent: "build", command: "ls -A && echo $?" }

describe("a shell command of the user", () => {
  it("runs without the model, and the model reads it with the next prompt", async () => {
    await using scene = await serving({ tools: [...builtinTools()] })
    const { client, model } = scene
    const { id } = got(await client.session.create())

    const answer = got(await client.session.shell({ path: { id }, body: ls })) as unknown as {
      info: { role: string }
      parts: { type: string; tool?: string; state?: { status: string; output: string } }[]
    }

    expect(answer.info).toMatchObject({ role: "assistant", agent: "build" })
    const tool = answer.parts.find(({ type }) => type === "tool")
    expect(tool).toMatchObject({ tool: "bash", state: { status: "completed" } })
    expect(tool?.state?.output).toContain("read.me")
    expect(model.requests).toEqual([])
    const messages = got(await client.session.messages({ path: { id } }))
    expect(messages.map(({ info }) => info.role)).toEqual(["user", "assistant"])
    await client.session.prompt({ path: { id }, body: { parts: [{ type: "text", text: "Which files?" }] } })
    expect(JSON.stringify(model.requests[0])).toContain("read.me")
  })

  it("is a 409 while the session works", async () => {
    const replies = [
      [call("bash", { command: "sleep 60" }), finish("tool-calls")] as const,
      [text("Done."), finish("stop")] as const,
    ]
    await using scene = await serving({ tools: [...builtinTools()], replies, permission: [] })
    const { client, engine } = scene
    const { id } = got(await client.session.create())
    await client.session.promptAsync({ path: { id }, body: { parts: [{ type: "text", text: "Wait" }] } })
    await expect.poll(async () => got(await client.session.status())[id]?.type).toBe("busy")
    const { response } = await client.session.shell({ path: { id }, body: ls })
    expect(response?.status).toBe(409)
    await engine.abort(id as never)
  })

  it.each([{}, { command: "  " }, { command: 3 }, { command: "ls", model: "x" }])("is a 400 for %j", async (body) => {
    await using scene = await serving()
    const { id } = got(await scene.client.session.create())
    const { response } = await scene.client.session.shell({ path: { id }, body: body as never })
    expect(response?.status).toBe(400)
  })

  it("is a 404 for an unknown agent or session", async () => {
    await using scene = await serving()
    const { id } = got(await scene.client.session.create())
    const unknown = await scene.client.session.shell({ path: { id }, body: { ...ls, agent: "nobody" } })
    expect(unknown.response?.status).toBe(404)
    const missing = await scene.client.session.shell({ path: { id: "ses_missing" }, body: ls })
    expect(missing.response?.status).toBe(404)
  })
})
