import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { CallContext } from "../src/index.ts"
import { everything, type EverythingServer, startEverything } from "./everything-server.ts"
import { type Offered, offered, textOf } from "./offered.ts"
import { createScene, type Scene, until } from "./scene.ts"

const signal = new AbortController().signal
const context: Partial<CallContext> = {
  ask: async (questions) => questions.map(({ options }) => (options[0] ? [options[0].label] : ["7"])),
  authorize: async () => undefined,
  generate: async () => ({ text: "sampled", finish: "stop", model: { providerID: "p", modelID: "m" } }),
}

/** What each tool is called with, and what it answers. */
const CALLS: Readonly<Record<string, readonly [args: object, output: RegExp]>> = {
  echo: [{ message: "hi" }, /Echo: hi/],
  "get-annotated-message": [{ messageType: "error", includeImage: true }, /Error: Operation failed/],
  "get-env": [{}, /PATH|CONFIGURED/],
  "get-resource-links": [{ count: 2 }, /\[Resource .*demo:\/\/resource/],
  "get-resource-reference": [{ resourceType: "Text", resourceId: 1 }, /<resource uri="demo:\/\/resource/],
  "get-roots-list": [{}, /file:\/\//],
  "get-structured-content": [{ location: "Chicago" }, /"temperature"/],
  "get-sum": [{ a: 2, b: 3 }, /5/],
  "get-tiny-image": [{}, /image/i],
  "gzip-file-as-resource": [{ name: "a.gz", data: "data:text/plain,hello", outputType: "resource" }, /a\.gz/],
  "simulate-research-query": [{ topic: "python", ambiguous: true }, /Research Report: python/],
  "toggle-simulated-logging": [{}, /log/i],
  "toggle-subscriber-updates": [{}, /update/i],
  "trigger-elicitation-request": [{}, /accept|provided/i],
  "trigger-long-running-operation": [{ duration: 0.2, steps: 2 }, /completed/],
  "trigger-sampling-request": [{ prompt: "hi", maxTokens: 10 }, /sampled/],
}

/** Three files, so that they wait side by side. */
export function testEverything(kind: "stdio" | "streamableHttp" | "sse"): void {
  describe(`the reference server over ${kind}`, () => {
    let scene: Scene
    let session: Offered
    let server: EverythingServer | undefined

    beforeAll(async () => {
      server = kind === "stdio" ? undefined : await startEverything(kind)
      const local = {
        type: "local",
        command: [process.execPath, everything, "stdio"],
        environment: { CONFIGURED: "1" },
      }
      const config = server ? { type: "remote", url: server.url } : local
      scene = await createScene({ servers: () => ({ all: { config, scope: "user" } }) })
      session = await offered(scene)
    })
    afterAll(async () => {
      await scene[Symbol.asyncDispose]()
      await server?.kill()
    })

    it("has each of its tools called", async () => {
      // Some are there once the server knows what its client can do.
      const listed = async () => (await scene.control.status())[0]
      await until(async () => {
        const { tools = 0, waiting = [] } = (await listed()) ?? {}
        return tools + waiting.length >= Object.keys(CALLS).length
      }, "all tools are listed")
      await scene.control.allow("all")
      const tools = await scene.control.tools("all")
      // Those for clients that can open an address, or carry out tasks for servers, are not offered to this one.
      expect(tools.map(({ tool }) => tool.name).sort()).toEqual(Object.keys(CALLS).sort())

      const offeredNow = await session.again()
      const outputs = await Promise.all(
        tools.map(async ({ name, tool }) => {
          const found = offeredNow[name]
          const given = { sessionID: "ses_e", signal, progress: () => undefined, ...context }
          const { output } = (await found?.execute(CALLS[tool.name]?.[0], given as never)) ?? { output: "" }
          return [tool.name, output] as const
        }),
      )
      expect(outputs.filter(([name, output]) => !CALLS[name]?.[1].test(output))).toEqual([])
    })

    it("has each of its prompts asked for", async () => {
      const args: Readonly<Record<string, string>> = {
        "all:simple-prompt": "",
        "all:args-prompt": "city=Berlin",
        "all:completable-prompt": "Engineering Alice",
        "all:resource-prompt": "Text 1",
      }
      expect(session.commands.map(({ name }) => name).sort()).toEqual(Object.keys(args).sort())

      for (const command of session.commands) {
        const parts = await command.expand(args[command.name] ?? "", signal)
        expect(textOf(parts).length).toBeGreaterThan(10)
      }
    })

    it("has each of its resources read", async () => {
      const resources = await session.resource.list(signal)
      expect(resources.length).toBeGreaterThan(5)

      for (const { uri } of resources) {
        expect((await session.resource.read(uri, signal)).length).toBeGreaterThan(0)
      }
      expect(await session.call("list_mcp_resource_templates", {})).toContain(
        "demo://resource/dynamic/text/{resourceId}",
      )
      expect(textOf(await session.resource.read("all:demo://resource/dynamic/text/5", signal))).toContain("Resource 5")
    })

    it("that is killed during a call ends the call, and comes back where it is pawl's to start", async () => {
      const args = { duration: 30, steps: 60 }
      let isUnderWay = false
      const progress = () => void (isUnderWay = true)
      const calling = scene.control
        .call("all", "trigger-long-running-operation", args, { progress })
        .catch((error: unknown) => error)
      await until(() => isUnderWay, "the call is under way")

      const [{ pid } = {}] = await scene.control.status()
      if (server) await server.kill()
      else process.kill(pid as number, "SIGKILL")

      expect(await calling).toMatchObject({ name: "McpServerError", kind: "connection-lost" })
      if (!server)
        expect(await scene.control.call("all", "echo", { message: "back" })).toMatchObject({
          content: [{ text: "Echo: back" }],
        })
    })
  })
}
