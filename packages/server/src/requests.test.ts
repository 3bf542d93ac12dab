import { describe, expect, it } from "vitest"
import { createServerEvents } from "./index.ts"
import { serving } from "../test/serving.ts"

const file = (url: string, mime = "text/plain") => ({ parts: [{ type: "file", mime, url }] })

describe("a prompt", () => {
  it.each([
    ["a device without an end", file("file:///dev/zero"), "not a regular file"],
    ["a device without an end as an image", file("file:///dev/zero", "image/png"), "not a regular file"],
    ["an address that is wrongly encoded", file("data:text/plain,%E0%A4%A"), "not encoded"],
    ["a path with a NUL", file("file:///etc/passwd%00"), "cannot be read"],
  ])("with %s is a bad request", async (_what, body, said) => {
    await using serve = await serving()
    const { id } = await serve.engine.createSession({ directory: serve.directory })
    const answer = await serve.app.request(`/session/${id}/message`, { method: "POST", body: JSON.stringify(body) })
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining(said)])
  })
})

describe("a body", () => {
  it("without an end is not read to it", async () => {
    await using serve = await serving()
    let sent = 0
    const body = new ReadableStream({
      pull(controller) {
        sent++
        controller.enqueue(new Uint8Array(1024 * 1024))
      },
    })
    const answer = await serve.app.request("/log", { method: "POST", body, duplex: "half" })
    expect([answer.status, await answer.text()]).toEqual([413, expect.stringContaining("too large")])
    expect(sent).toBeLessThan(100)
  })
})

describe("a session", () => {
  it("is not made below one that is not there", async () => {
    await using serve = await serving()
    const answer = await serve.client.session.create({ body: { parentID: "ses_nowhere" } })
    expect(answer.response.status).toBe(404)
    expect((await serve.client.session.list()).data).toEqual([])
  })
})

describe("a listener that throws", () => {
  it("keeps nothing from those behind it, nor from who published", async () => {
    await using serve = await serving()
    const events = createServerEvents(serve.engine)
    const warnings: unknown[] = []
    const note = (warning: unknown) => void warnings.push(warning)
    process.on("warning", note)
    const told: string[] = []
    events.subscribe(() => {
      throw new Error("It is broken.")
    })
    events.subscribe(({ type }) => void told.push(type))
    events.publish("tui.prompt.append", { text: "x" })
    await expect.poll(() => warnings).toHaveLength(1)
    expect(told).toEqual(["tui.prompt.append"])
    process.off("warning", note)
    events.close()
  })
})
