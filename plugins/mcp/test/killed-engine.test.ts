import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, inject, it } from "vitest"
import { isAlive, parentOf, processesWith } from "./marked.ts"
import { createScene, runFixture, until } from "./scene.ts"

/** An engine in a process of its own with one server; `directory` stands in the environment of all that it starts. */
async function startEngine(
  env: Readonly<Record<string, string>>,
): Promise<{ engine: ChildProcess; directory: string }> {
  const directory = await mkdtemp(join(tmpdir(), "pawl-mcp-killed-"))
  const environment = { FIXTURE_LOG: join(directory, "notes.txt"), ...env }
  const config = { type: "local", command: runFixture, environment }
  const servers = { fix: { config, scope: "user" } }
  const options = JSON.stringify({ servers, directory, dataDirectory: join(directory, "data") })
  const started = spawn(process.execPath, [inject("programs").engine, options], {
    stdio: ["ignore", "pipe", "inherit"],
  })
  await once(started.stdout as NodeJS.ReadableStream, "data")
  return { engine: started, directory }
}

describe.runIf(process.platform === "linux")("an engine that is killed with SIGKILL", { concurrent: true }, () => {
  it.each([
    ["a server that ends when nobody speaks to it", {}],
    ["a server that ignores SIGTERM and the end of its input", { FIXTURE_STUBBORN: "1" }],
    [
      "a stubborn server with grandchildren, one in a session of its own",
      { FIXTURE_STUBBORN: "1", FIXTURE_GRANDCHILD: "1" },
    ],
  ])("leaves nothing of %s", async (_, env) => {
    const { engine, directory } = await startEngine(env)
    const own = processesWith(directory).filter((id) => id !== engine.pid)
    expect(own.length).toBeGreaterThanOrEqual("FIXTURE_GRANDCHILD" in env ? 3 : 1)

    const killed = performance.now()
    engine.kill("SIGKILL")
    await once(engine, "exit")
    await until(() => !own.some(isAlive) && processesWith(directory).length === 0, "no process of the server is left")
    if (process.env["PAWL_FIGURES"]) console.log(`after SIGKILL: ${Math.round(performance.now() - killed)} ms`)

    expect(own.filter(isAlive)).toEqual([])
    await rm(directory, { recursive: true })
  })
})

describe.runIf(process.platform === "linux")("a guardian", () => {
  const guardians = () => processesWith("pawl-mcp-guardian").filter((id) => parentOf(id) === process.pid)

  it("is one small process for all servers, and ends with them", async () => {
    const scene = await createScene({ servers: ({ local }) => ({ a: local(), b: local({ cwd: "/" }) }) })
    await Promise.all([scene.control.connect("a"), scene.control.connect("b")])
    expect(guardians()).toHaveLength(1)

    await scene[Symbol.asyncDispose]()

    expect(guardians()).toEqual([])
  })

  it("is replaced when somebody ends it", async () => {
    await using scene = await createScene()
    await scene.control.connect("fix")
    const [first] = guardians()

    process.kill(first as number, "SIGKILL")

    await until(() => guardians().length === 1 && guardians()[0] !== first, "another guardian")
    expect((await scene.control.status())[0]?.status).toBe("connected")
  })
})

describe("disconnecting", () => {
  it.runIf(process.platform === "linux")("ends a stubborn server with all that it started", async () => {
    await using scene = await createScene({ env: { FIXTURE_STUBBORN: "1", FIXTURE_GRANDCHILD: "1" } })
    await scene.control.connect("fix")
    expect(processesWith(scene.directory).length).toBeGreaterThanOrEqual(3)

    await scene.control.disconnect("fix")

    expect(processesWith(scene.directory)).toEqual([])
    expect((await scene.control.status())[0]?.status).toBe("not_started")
  })
})
