import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import { describe, expect, inject, it } from "vitest"
import type { McpServerError } from "../src/index.ts"
import { offered } from "./offered.ts"
import { createScene, type Scene, until } from "./scene.ts"

/** A server that does this; one of any depth has an honest one behind it. */
function sceneWith(kind: string, extra: object = {}): Promise<Scene> {
  return createScene({
    servers: ({ local, directory }) => {
      const environment = { HOSTILE: kind, FIXTURE_LOG: join(directory, "notes.txt") }
      const command = [process.execPath, inject("programs").hostile]
      const bad = local({ command, environment, ...extra })
      return kind === "deep" ? { bad, good: local() } : { bad }
    },
  })
}
const failureOf = (work: Promise<unknown>) => work.then(String, (thrown: unknown) => thrown as McpServerError)
const namesOf = ({ tools }: { readonly tools: object }, server: string) =>
  Object.keys(tools).filter((name) => name.startsWith(`${server}_`))

describe.concurrent("a hostile server", () => {
  it("with a schema of any depth loses that tool alone, and takes none from others", async () => {
    await using scene = await sceneWith("deep")
    const session = await offered(scene)
    expect(namesOf(session, "bad")).toEqual(["bad_plain"])
    expect(namesOf(session, "good")).toContain("good_echo")
  })

  it("with schemas that refer to themselves is offered as it is", async () => {
    await using scene = await sceneWith("cycle")
    expect(namesOf(await offered(scene), "bad")).toEqual(["bad_cycle"])
  })

  it("with too many tools is read so far, and when they change told of in a notice of some length", async () => {
    await using scene = await sceneWith("many")
    const session = await offered(scene)
    expect(namesOf(session, "bad")).toHaveLength(10_000)
    await writeFile(join(scene.directory, "notes.txt.other"), "")
    await scene.control.disconnect("bad")
    await scene.control.connect("bad")
    expect(namesOf({ tools: await session.again() }, "bad")).toEqual([])
    expect(session.notices.join("")).toContain("and 9980 more")
    expect(session.notices.join("").length).toBeLessThan(3000)
  })

  it("that always has one more page comes to its deadline", async () => {
    await using scene = await sceneWith("slow", { timeouts: { list: 400 } })
    expect(await failureOf(scene.control.connect("bad"))).toMatchObject({ kind: "timeout" })
  })

  it("names its tools in no way that others could mistake", async () => {
    await using scene = await sceneWith("names")
    for (const name of namesOf(await offered(scene), "bad")) expect(name).toMatch(/^bad_[A-Za-z0-9_-]{1,60}$/)
  })

  it("of another protocol is refused, in words of its own", async () => {
    await using scene = await sceneWith("version")
    expect(await failureOf(scene.control.connect("bad"))).toMatchObject({
      kind: "connect-failed",
      message: expect.stringContaining(
        "could not be connected: Server's protocol version is not supported: 1999-01-01",
      ),
    })
  })

  it("says what went wrong in some words at most", async () => {
    await using scene = await sceneWith("error")
    const failure = await failureOf(scene.control.call("bad", "one", {}))
    expect(failure).toMatchObject({ kind: "refused" })
    expect((failure as McpServerError).message.length).toBeLessThan(5000)
  })

  it("that answers with a number that means something else elsewhere is called once", async () => {
    await using scene = await sceneWith("unauthorized")
    expect(await failureOf(scene.control.call("bad", "one", {}))).toMatchObject({ kind: "refused" })
    expect((await scene.notes()).filter((line) => line === "call")).toHaveLength(1)
  })

  it("that asks and does not read the answers is lost", async () => {
    await using scene = await sceneWith("deaf")
    expect(await failureOf(scene.control.call("bad", "one", {}))).toMatchObject({ kind: "connection-lost" })
    expect((await scene.control.debug("bad")).log).toContain("does not read what it is sent")
  })

  it("that says without end that its tools have changed is asked now and then", async () => {
    await using scene = await sceneWith("storm")
    await scene.control.connect("bad")
    await until(async () => (await listings(scene)) >= 3, "it is asked again")
    const before = await listings(scene)
    const start = performance.now()
    await delay(300)
    // Without pauses there are a thousand in that time.
    expect((await listings(scene)) - before).toBeLessThan(3 + (performance.now() - start) / 100)
  })

  it("that sends half a message, noise and floods of its log goes on being used", async () => {
    await using scene = await sceneWith("noise")
    expect(await scene.control.call("bad", "one", {})).toMatchObject({ content: [{ text: "called" }] })
    const { log, logPath } = await scene.control.debug("bad")
    expect(log.length).toBeLessThan(100_000)
    expect((await readFile(logPath)).length).toBeLessThan(3_000_000)
  })

  it("that stops itself is ended all the same", async () => {
    await using scene = await sceneWith("stopped", { timeouts: { call: 300 } })
    await scene.control.connect("bad")
    const [{ pid = 0 } = {}] = await scene.control.status()
    expect(await failureOf(scene.control.call("bad", "one", {}))).toMatchObject({ kind: "timeout" })
    await scene.control.disconnect("bad")
    // Its parent, this process, has yet to hear of it.
    await until(() => !isAlive(pid), "the server is gone")
  })
})

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

async function listings(scene: Scene): Promise<number> {
  return (await scene.notes()).filter((line) => line === "list").length
}

describe.concurrent("a server that is not configured any more", () => {
  it("is not started again by a tool that was offered before", async () => {
    await using scene = await createScene()
    const session = await offered(scene)
    await scene.control.update({})
    const before = await scene.notes()

    await expect(session.call("fix_echo", { text: "x" })).rejects.toThrow('"fix" is not configured any more')
    expect(await scene.notes()).toEqual(before)
  })

  it("is not started by who began to look for it before the end", async () => {
    await using scene = await createScene()
    const looking = offered(scene)
    await scene.control.close()
    await looking
    expect(await scene.control.status()).not.toMatchObject([{ status: "connected" }])
  })

  it("is there again for an engine that begins later", async () => {
    await using scene = await createScene()
    const first = await offered(scene)
    await first.hooks.dispose?.({}, {})
    const second = await offered(scene)
    expect(await second.call("fix_echo", { text: "x" })).toBe("echo: x")
  })
})

it("a server that is connected while it is being ended waits for the end", async () => {
  await using scene = await createScene({ env: { FIXTURE_STUBBORN: "1", FIXTURE_SILENT: "list" } })
  const first = scene.control.connect("fix").catch(() => undefined)
  await until(async () => (await scene.notes()).some((line) => line.startsWith("list")), "the first one lists")
  const ending = scene.control.disconnect("fix")
  const second = scene.control.connect("fix").catch(() => undefined)

  await until(async () => (await starts(scene)).length === 2, "the second one starts")
  const [ended] = await starts(scene)
  expect(() => process.kill(Number(ended?.split(" ")[1]), 0)).toThrow("ESRCH")
  await scene.control.disconnect("fix")
  await Promise.all([first, ending, second])
})

const starts = async (scene: Scene) => (await scene.notes()).filter((line) => line.startsWith("start "))
