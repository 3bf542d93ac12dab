import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { CallContext } from "../src/index.ts"
import { type Offered, offered, textOf } from "./offered.ts"
import { createScene, type Scene } from "./scene.ts"

let scene: Scene
let session: Offered
const signal = new AbortController().signal

beforeAll(async () => {
  const environment = { PATH: process.env["PATH"] ?? "", LC_TIME: "C" }
  scene = await createScene({ environment, env: { OWN: "configured" } })
  session = await offered(scene)
})
afterAll(() => scene[Symbol.asyncDispose]())

describe("tools", () => {
  it("have what servers say of them", () => {
    expect(session.tools["fix_echo"]).toMatchObject({
      description: "Says it again",
      effect: "pure",
      deferrable: true,
      inputSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
    })
    expect(session.tools["fix_env"]?.effect).toBe("idempotent")
    expect(session.tools["fix_slow"]?.effect).toBe("unsafe")
  })

  it("answer, and fail with the server's words", async () => {
    expect(await session.call("fix_mixed", {})).toContain("one\n\nzwei 🐾")
    expect(await session.call("fix_structured", {})).toBe('{"answer":42}')
    await expect(session.call("fix_fail", {})).rejects.toThrow("it broke")
  })

  it("may answer at length", async () => {
    const size = 12 * 1024 * 1024
    expect(await session.call("fix_big", { size })).toHaveLength(size)
  })

  it("tell of their progress", async () => {
    const progress: unknown[] = []
    await session.call("fix_slow", { steps: 2, pause: 5 }, { progress: (update) => progress.push(update) })
    expect(progress).toEqual([
      { title: "step 1", metadata: { progress: 1, total: 2, message: "step 1" } },
      { title: "step 2", metadata: { progress: 2, total: 2, message: "step 2" } },
    ])
  })

  it("know the places that sessions work in", async () => {
    const { roots } = JSON.parse(await session.call("fix_roots", {})) as { roots: { uri: string }[] }
    expect(roots.map(({ uri }) => uri)).toEqual([`file://${scene.directory}`, "file:///"])
  })
})

describe("a server's environment", () => {
  it("holds what it is given and what is configured, and nothing else of this process's", async () => {
    const env = JSON.parse(await session.call("fix_env", {})) as Record<string, string>

    expect(env).toMatchObject({ OWN: "configured", LC_TIME: "C", PATH: process.env["PATH"] })
    expect(Object.keys(env).filter((name) => name !== "LC_TIME" && name in process.env)).toEqual(["PATH"])
  })
})

describe("elicitation", () => {
  const elicit = async (context: Partial<CallContext>) =>
    JSON.parse(await session.call("fix_elicit", {}, context)) as object

  it("asks in the call's session", async () => {
    const asked: unknown[] = []
    const ask: CallContext["ask"] = async (questions) => {
      asked.push(...questions.map(({ header }) => header))
      return [["Ann"], [], ["Green"], ["Yes"]]
    }
    expect(await elicit({ ask })).toEqual({
      action: "accept",
      content: { name: "Ann", age: 7, color: "green", sure: true },
    })
    expect(asked).toEqual(["Name", "age", "color", "sure"])
  })

  it("asks once more where an answer does not fit, and then gives up", async () => {
    const questions: string[] = []
    const ask: CallContext["ask"] = async ([first]) => {
      questions.push(first?.question ?? "")
      return [["Ann"], ["young"]]
    }
    expect(await elicit({ ask })).toEqual({ action: "cancel" })
    expect(questions[1]).toContain('"age" needs a whole number, not "young".')
  })

  it("is declined where nobody answers", async () => {
    expect(await elicit({ ask: async () => Promise.reject(new Error("Nobody is there.")) })).toEqual({
      action: "decline",
    })
    expect(await elicit({})).toEqual({ action: "decline" })
  })
})

describe("sampling", () => {
  const generate: CallContext["generate"] = async ({ messages, maxOutputTokens }) => ({
    text: `${JSON.stringify(messages[0]?.content)} in ${maxOutputTokens}`,
    finish: "stop",
    model: { providerID: "p", modelID: "m" },
  })

  it("is answered by the session's model, when it is allowed", async () => {
    const needs: unknown[] = []
    const authorize: CallContext["authorize"] = async (need) => void needs.push(need)

    const answer = JSON.parse(await session.call("fix_sample", {}, { authorize, generate })) as object

    expect(answer).toMatchObject({ role: "assistant", model: "m", stopReason: "endTurn" })
    expect(answer).toMatchObject({ content: { text: '[{"type":"text","text":"Say hi"}] in 10' } })
    expect(needs).toEqual([
      { permission: "mcp_sampling", patterns: ["fix"], metadata: { server: "fix", prompt: "Say hi" } },
    ])
  })

  it("is refused where it is not allowed, and outside of a session", async () => {
    const authorize: CallContext["authorize"] = () => Promise.reject(new Error("Not allowed."))
    await expect(session.call("fix_sample", {}, { authorize, generate })).rejects.toThrow("Not allowed.")
    await expect(session.call("fix_sample", {})).rejects.toThrow("Sampling is refused")
  })
})

describe("resources", () => {
  it("are listed and read by name", async () => {
    expect(await session.resource.list(signal)).toEqual([{ uri: "fix:fix://a", name: "a", mime: "text/plain" }])
    expect(textOf(await session.resource.read("fix:fix://a", signal))).toBe(
      '<resource uri="fix://a">\ncontent of fix://a\n</resource>',
    )
    expect(await session.resource.read("fix:fix://image", signal)).toMatchObject([{ type: "file", mime: "image/png" }])
    await expect(session.resource.read("other://a", signal)).rejects.toThrow("write server:uri. Servers: fix.")
  })

  it("are there for models, by permission to read", async () => {
    expect(await session.call("list_mcp_resources", {})).toContain('"uri": "fix://a"')
    expect(await session.call("list_mcp_resource_templates", { server: "fix" })).toContain("fix://{id}")
    expect(await session.call("read_mcp_resource", { server: "fix", uri: "fix://a" })).toContain("content of fix://a")
    await expect(session.call("read_mcp_resource", { server: "x", uri: "a" })).rejects.toThrow('no MCP server "x"')
    await expect(session.call("read_mcp_resource", {})).rejects.toThrow("invalid arguments")
    const place = { directory: "/", worktree: "/" }
    expect(session.tools["read_mcp_resource"]?.permissions?.({ server: "fix", uri: "fix://a" }, place)).toEqual([
      { permission: "read", patterns: ["mcp:fix:fix://a"] },
    ])
  })

  it("are listed once, until the server says that they changed", async () => {
    await session.resource.list(signal)
    await session.resource.list(signal)
    expect((await scene.notes()).filter((line) => line === "resources")).toHaveLength(1)
  })
})

describe("prompts", () => {
  it("are commands", async () => {
    const [greet] = session.commands

    expect(greet).toMatchObject({ name: "fix:greet", description: "Greets", hints: ["who", "how"] })
    expect(textOf((await greet?.expand("Ann very warmly", signal)) ?? [])).toBe("Greet Ann very warmly")
    await expect(greet?.expand("", signal)).rejects.toThrow("needs who")
  })
})

describe("instructions", () => {
  it("stand in the system prompt", async () => {
    const output = { system: ["base"] }
    const model = { providerID: "p", modelID: "m" }
    await session.hooks["chat.system.transform"]?.({ sessionID: "ses_x", model } as never, output)

    expect(output.system).toEqual([
      "base",
      '<mcp_instructions>\n<server name="fix">\nUse echo for everything.\n</server>\n</mcp_instructions>',
    ])
  })
})
