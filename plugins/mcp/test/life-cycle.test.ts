import { setTimeout as delay } from "node:timers/promises"
import { describe, expect, it } from "vitest"
import { McpServerError } from "../src/index.ts"
import { createScene, until } from "./scene.ts"
import { isAlive } from "./marked.ts"
import { offered } from "./offered.ts"

const countOf = (notes: readonly string[], start: string) => notes.filter((line) => line.startsWith(start)).length

describe.concurrent("a server", () => {
  it("is started when it is needed, once for ten sessions, and lists its tools once", async () => {
    await using scene = await createScene()
    expect(await scene.notes()).toEqual([])

    const sessions = await Promise.all(Array.from({ length: 10 }, () => offered(scene)))
    await Promise.all(sessions.map(({ call }) => call("fix_echo", { text: "x" })))

    expect(countOf(await scene.notes(), "start")).toBe(1)
    expect(countOf(await scene.notes(), "list")).toBe(1)
  })

  it("that is known from before is started by its first call", async () => {
    await using scene = await createScene()
    await offered(scene)
    await scene.control.close()

    const later = await offered(scene.again())
    expect(Object.keys(later.tools)).toContain("fix_echo")
    expect(later.commands.map(({ name }) => name)).toEqual(["fix:greet"])
    expect(countOf(await scene.notes(), "start")).toBe(1)

    expect(await later.call("fix_echo", { text: "x" })).toBe("echo: x")
    expect(countOf(await scene.notes(), "start")).toBe(2)
  })

  it("that ends during a call ends the call, and is there for the next", async () => {
    await using scene = await createScene()
    const calling = scene.control.call("fix", "hang", {})
    await until(async () => (await scene.notes()).includes("call hang"), "the call has begun")
    const [{ pid } = {}] = await scene.control.status()

    process.kill(pid as number, "SIGKILL")
    const error = await calling.catch((thrown: unknown) => thrown)

    expect(error).toBeInstanceOf(McpServerError)
    expect(error).toMatchObject({ kind: "connection-lost", server: "fix" })
    expect(await scene.control.call("fix", "echo", { text: "back" })).toMatchObject({
      content: [{ text: "echo: back" }],
    })
  })

  it("that ended comes back by itself", async () => {
    await using scene = await createScene()
    await scene.control.connect("fix")
    await scene.control.call("fix", "crash", {}).catch(() => undefined)

    await until(async () => (await scene.control.status())[0]?.status === "connected", "it is connected again")
    expect((await scene.control.debug("fix")).log).toContain("exited with code 3")
  })

  it("that is disconnected stays so until it is needed", async () => {
    await using scene = await createScene()
    await scene.control.connect("fix")
    const [{ pid } = {}] = await scene.control.status()

    await scene.control.disconnect("fix")

    expect(isAlive(pid as number)).toBe(false)
    expect((await scene.control.status())[0]?.status).toBe("not_started")
    await scene.control.connect("fix")
    expect((await scene.control.status())[0]?.status).toBe("connected")
  })

  it("that stays the same goes on running when the configuration changes", async () => {
    await using scene = await createScene()
    await scene.control.connect("fix")
    const [before] = await scene.control.status()
    const entry = (environment: object) => ({
      config: { type: "local", command: ["true"], environment },
      scope: "user" as const,
    })

    await scene.control.update({ ...scene.servers, other: entry({}) })
    expect((await scene.control.status()).map(({ name, status }) => [name, status])).toEqual([
      ["fix", "connected"],
      ["other", "not_started"],
    ])
    expect((await scene.control.status())[0]?.pid).toBe(before?.pid)

    await scene.control.update({ other: entry({}) })
    expect(isAlive(before?.pid as number)).toBe(false)
  })
})

describe.concurrent("deadlines", () => {
  it("of connecting name the server and where more time is given", async () => {
    await using scene = await createScene({
      env: { FIXTURE_SILENT: "connect" },
      servers: ({ local }) => ({ fix: local({ timeouts: { connect: 700 } }) }),
    })

    await expect(scene.control.connect("fix")).rejects.toThrow(
      'The MCP server "fix" did not answer within 0.7 s. More time: mcp.fix.timeouts.connect.',
    )
    expect(await scene.control.status()).toMatchObject([{ status: "failed" }])
  })

  it("of calls begin anew with each sign of progress, and tell the server when they end", async () => {
    await using scene = await createScene({ servers: ({ local }) => ({ fix: local({ timeouts: { call: 2400 } }) }) })
    await scene.control.connect("fix")

    const slow = await scene.control.call("fix", "slow", { steps: 4, pause: 650 })
    expect(slow).toMatchObject({ content: [{ text: "done" }] })

    const error = await scene.control.call("fix", "hang", {}).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ kind: "timeout" })
    await until(async () => (await scene.notes()).includes("cancelled hang"), "the server was told")
  })
})

describe.concurrent("an aborted call", () => {
  it("ends at once, and the server is told", async () => {
    await using scene = await createScene()
    await scene.control.connect("fix")
    const controller = new AbortController()
    const calling = scene.control.call("fix", "hang", {}, { signal: controller.signal })
    await until(async () => (await scene.notes()).includes("call hang"), "the call has begun")

    controller.abort(new DOMException("Enough.", "AbortError"))

    await expect(calling).rejects.toThrow("Enough.")
    await until(async () => (await scene.notes()).includes("cancelled hang"), "the server was told")
  })

  it("that has ended is not cancelled later", async () => {
    await using scene = await createScene()
    const controller = new AbortController()
    await scene.control.call("fix", "echo", { text: "x" }, { signal: controller.signal })

    controller.abort()
    await delay(50)

    expect(await scene.notes()).not.toContain("cancelled echo")
  })
})

describe.concurrent("a server that cannot be used", () => {
  it.each([
    [{ type: "local", command: ["/no/such/program"] }, '"/no/such/program" was not found'],
    [{ type: "local", command: ["sh", "-c", "exit 7"] }, "it exited with code 7"],
    [{ type: "remote", url: "http://127.0.0.1:9/mcp" }, "could not be connected"],
  ])("says why", async (config, words) => {
    await using scene = await createScene({ servers: () => ({ bad: { config, scope: "user" } }) })

    await expect(scene.control.connect("bad")).rejects.toThrow(words)
    expect(await scene.control.status()).toMatchObject([{ name: "bad", status: "failed" }])
  })

  it("does not keep others from being offered, nor runs from beginning for long", async () => {
    const silent = { type: "local", command: ["sleep", "60"] }
    await using scene = await createScene({
      servers: ({ local }) => ({
        silent: { config: silent, scope: "user" },
        off: local({ enabled: false }),
        fix: local(),
      }),
      waitMs: 300,
    })
    await scene.control.connect("fix")

    const { tools } = await offered(scene)

    expect(Object.keys(tools)).toContain("fix_echo")
    expect((await scene.control.status()).map(({ status }) => status)).toEqual(["connecting", "disabled", "connected"])
  })

  it("that is late is offered when it has come", async () => {
    await using scene = await createScene({ waitMs: 0 })
    const session = await offered(scene)
    expect(session.tools).toEqual({})

    await until(() => session.changes() > 0, "it says that it has changed")
    expect(Object.keys(await session.again())).toContain("fix_echo")
  })
})

describe.concurrent("prompts that appear", () => {
  it("are commands once the server has said so, with one more reading of its list", async () => {
    await using scene = await createScene()
    const session = await offered(scene)
    const before = session.changes()
    await session.call("fix_grow", { kind: "prompt", name: "late" })
    await until(() => session.changes() > before, "the plugin says that it has changed")
    expect((await session.hooks.command?.())?.map(({ name }) => name)).toEqual(["fix:greet", "fix:late"])
    expect(countOf(await scene.notes(), "list")).toBe(2)
  })
})

describe.concurrent("listing", () => {
  it("follows pages, and ends where they go round", async () => {
    for (const FIXTURE_PAGES of ["3", "circle"]) {
      await using scene = await createScene({ env: { FIXTURE_PAGES } })
      expect(await scene.control.tools("fix")).toHaveLength(14)
    }
  })
})
