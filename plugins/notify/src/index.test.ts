import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { createServer } from "node:http"
import { json } from "node:stream/consumers"
import { once } from "node:events"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { call, fail, finish, testPlugin, text } from "@pawl/plugin/testing"
import { afterEach, describe, expect, it } from "vitest"
import notify from "./index.ts"

const done = [text("Done."), finish("stop")]
const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

/** A server that keeps what it is told. */
async function listening(status = 200) {
  const told: Record<string, unknown>[] = []
  const server = createServer((request, response) => {
    void json(request).then((body) => {
      told.push(body as Record<string, unknown>)
      response.writeHead(status).end()
    })
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  closing.push(() => new Promise((resolve) => server.close(resolve)))
  return { told, webhook: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` }
}

describe("a webhook", () => {
  it("is told when a session has answered", async () => {
    const { told, webhook } = await listening()
    const test = await testPlugin(notify, { options: { webhook, after: 0 }, replies: [done] })
    await test.ask("Sort the list")
    await test[Symbol.asyncDispose]()

    expect(told).toEqual([
      { type: "idle", sessionID: test.session.id, title: expect.any(String), message: "pawl is done." },
    ])
  })

  it("is told of a failure and of a question", async () => {
    const { told, webhook } = await listening()
    const test = await testPlugin(notify, {
      options: { webhook, on: ["error", "question"] },
      replies: [[call("deploy", { to: "production" })], [fail(new Error("The model is gone."))]],
      permission: [{ permission: "deploy", pattern: "*", action: "ask" }],
      engine: { tools: [deploy()], ask: async () => "once" },
    })
    await test.ask("Deploy")
    await test[Symbol.asyncDispose]()

    expect(told.map(({ type, message }) => [type, message])).toEqual([
      ["question", "May pawl use deploy: *?"],
      ["error", expect.stringContaining("The model is gone.")],
    ])
  })

  it("is told of a failure alone where the turn ends with one, and of the next turn's end", async () => {
    const { told, webhook } = await listening()
    const replies = [[fail(new Error("The model is gone."))], done]
    const test = await testPlugin(notify, { options: { webhook, after: 0 }, replies })
    await test.ask("Sort the list")
    await test.ask("Again")
    await test[Symbol.asyncDispose]()
    expect(told.map(({ type }) => type)).toEqual(["error", "idle"])
  })

  it("is not told of a turn that was short, nor of what was not asked for", async () => {
    const { told, webhook } = await listening()
    const test = await testPlugin(notify, { options: { webhook }, replies: [done] })
    await test.ask("Hello")
    await test[Symbol.asyncDispose]()
    expect(told).toEqual([])
  })

  it("is not told of what is refused because nobody is there to ask", async () => {
    const { told, webhook } = await listening()
    const test = await testPlugin(notify, {
      options: { webhook, on: ["question"] },
      replies: [[call("deploy", {})], done],
      permission: [{ permission: "deploy", pattern: "*", action: "ask" }],
      engine: { tools: [deploy()] },
    })
    await test.ask("Deploy")
    await test[Symbol.asyncDispose]()
    expect(test.events.map(({ type }) => type)).toContain("permission.asked")
    expect(told).toEqual([])
  })

  it("that fails is named, and the session goes on", async () => {
    const { webhook } = await listening(503)
    const test = await testPlugin(notify, { options: { webhook, after: 0 }, replies: [done] })
    expect(await test.ask("Hello")).toMatchObject({ type: "answered" })
    await test[Symbol.asyncDispose]()
    expect(test.problems).toEqual([{ hook: "event", message: expect.stringContaining("503") }])
  })
})

describe("a command", () => {
  it("gets the texts as they are, whatever is written in them", async () => {
    const directory = await mkdtemp(join(tmpdir(), "pawl-notify-"))
    closing.push(() => rm(directory, { recursive: true }))
    const [script, out] = [join(directory, "say.mjs"), join(directory, "said")]
    await writeFile(script, `import { writeFileSync } from "node:fs"; writeFileSync(process.argv[2], process.argv[3])`)
    const command = [process.execPath, script, out, "{title}: {message}"]
    const test = await testPlugin(notify, { options: { command, after: 0 }, replies: [done] })
    await test.engine.updateSession(test.session.id, { title: "$(touch x) {message} `y`" })
    await test.ask("Hello")
    await test[Symbol.asyncDispose]()

    expect(await readFile(out, "utf8")).toBe("$(touch x) {message} `y`: pawl is done.")
  })

  it("that is not there is named with the next step", async () => {
    const options = { command: ["pawl-no-such-program"], after: 0 }
    const test = await testPlugin(notify, { options, replies: [done] })
    await test.ask("Hello")
    await test[Symbol.asyncDispose]()
    expect(test.problems[0]?.message).toContain('set the option "command"')
  })
})

it("with an address that is none does not start", async () => {
  await expect(testPlugin(notify, { options: { webhook: "ftp://example.com" } })).rejects.toThrow(/webhook/)
})

function deploy() {
  return {
    ...{ name: "deploy", description: "Deploys.", inputSchema: { type: "object" }, effect: "unsafe" as const },
    parse: (input: unknown) => input,
    execute: async () => ({ title: "", output: "deployed" }),
  }
}
