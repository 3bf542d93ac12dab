import { tmpdir } from "node:os"
import type { ModelRef, PromptPart } from "@pawl/core"
import type { AssistantMessage } from "@pawl/core/record"
import { modelServer, reply, text } from "@pawl/model-server"
import { memoryStorage } from "@pawl/storage-memory"
import { builtinTools, taskTool } from "@pawl/tools"
import { describe, expect, it } from "vitest"
import { seeded } from "../src/seeded.ts"
import { type PartContent, storedSession } from "../src/stored-session.ts"
import { engineOver, firstRole, wires } from "../src/wires.ts"

const tools = () => [...builtinTools(), taskTool([{ name: "general", description: "Does any task." }])]
const task = { type: "subtask", prompt: "Review it.", description: "review", agent: "general" } as const
const image = { type: "file", mime: "image/png", filename: "a.png", url: "data:image/png;base64,iVBORw0KGgo=" } as const

describe.each(wires)("over $name", (wire) => {
  it.each([
    ["a command's subtask", { ...task, command: "review" }],
    ["a subtask", task],
  ])("%s begins a session that goes on", async (_name, part) => {
    await using server = await modelServer({ replies: () => reply(text("Reviewed.")) })
    await using engine = await engineOver(wire, server, { tools: tools() })
    const { id: sessionID } = await engine.createSession({ directory: tmpdir() })

    const results = [
      await engine.prompt({ sessionID, parts: [part] }),
      await engine.prompt({ sessionID, parts: [{ type: "text", text: "Thanks." }] }),
    ]

    expect(server.requests.map(({ status }) => status)).toEqual(server.requests.map(() => 200))
    expect(server.requests.map((request) => firstRole(request))).toEqual(server.requests.map(() => "user"))
    expect(results).toMatchObject([{ type: "answered" }, { type: "answered" }])
  })

  it("any mixture of stored parts makes requests that are valid and begin with the user", async () => {
    await using server = await modelServer({ replies: () => reply(text("Yes.")) })
    const storage = memoryStorage()
    await using engine = await engineOver(wire, server, { tools: tools(), storage })
    const random = seeded(7)
    const pick = <T>(from: readonly T[]) => from[Math.floor(random() * from.length)] as T
    const some = <T>(make: () => T, most: number) => Array.from({ length: Math.floor(random() * (most + 1)) }, make)

    for (let n = 0; n < 40; n++) {
      const { id: sessionID } = await engine.createSession({ directory: tmpdir() })
      const session = storedSession(sessionID, pick<ModelRef>([{ providerID: "else", modelID: "other" }, wire.model]))
      const shapes: string[] = []
      for (let turn = Math.floor(random() * 5); turn >= 0; turn--) {
        const parts = some(() => pick(userParts), 3)
        session.user(...parts)
        shapes.push(`user: ${parts.map(({ type }) => type).join()}`)
        for (const answer of some(() => pick(endings), 2)) {
          const said = some(() => pick(assistantParts), 3).map((part, at) =>
            part.type === "tool" ? { ...part, callID: `call_${n}_${turn}_${at}_${Math.floor(random() * 1e9)}` } : part,
          )
          session.assistant(answer, ...said)
          shapes.push(`assistant ${JSON.stringify(answer)}: ${said.map(({ type }) => type).join()}`)
        }
      }
      await session.commit(storage)
      const before = server.requests.length
      const result = await engine.prompt({ sessionID, parts: [pick(prompts)] })
      const made = server.requests.slice(before)
      const outcome = { shapes, result: result.type, made: made.map((request) => [request.status, firstRole(request)]) }
      expect(outcome).toEqual({ shapes, result: "answered", made: made.map(() => [200, "user"]) })
      expect(made.length).toBeGreaterThan(0)
    }
  })
})

const time = { start: 1, end: 2 }

/** Everything that a stored message of a user may hold. */
const userParts: readonly PartContent[] = [
  { type: "text", text: "Look at it." },
  { type: "text", text: "" },
  { type: "text", text: " \n" },
  { type: "text", text: "For people.", ignored: true },
  { type: "text", text: "A reminder.", synthetic: true },
  image,
  { type: "file", mime: "text/plain", url: "file:///a.txt" },
  { type: "agent", name: "general" },
  task,
  { ...task, command: "review" },
  { type: "compaction", auto: true, prepared: true },
]

const tool = (state: object): PartContent => ({ type: "tool", callID: "call", tool: "read", state })
const input = { filePath: "a" }

/** Everything that a stored answer may hold. */
const assistantParts: readonly PartContent[] = [
  { type: "step-start" },
  { type: "text", text: "I look.", time },
  { type: "text", text: "", time },
  { type: "text", text: "I lo", time: { start: 1 } },
  { type: "reasoning", text: "Hm.", time },
  { type: "reasoning", text: "", time },
  tool({ status: "completed", input, title: "a", output: "text", metadata: {}, time }),
  tool({ status: "completed", input, title: "a", output: "", metadata: {}, time }),
  tool({ status: "completed", input, title: "a", output: "text", metadata: {}, time: { ...time, compacted: 3 } }),
  tool({ status: "error", input, error: "ENOENT", time }),
  tool({ status: "error", input, error: "", time }),
]

const failure = (name: string) => ({ error: { name, data: { message: "No." } }, finish: "error" })

const endings: readonly Partial<AssistantMessage>[] = [
  { finish: "stop" },
  { finish: "length" },
  { finish: "tool-calls" },
  { finish: "unknown" },
  failure("APIError"),
  failure("MessageAbortedError"),
  { ...failure("MessageOutputLengthError"), finish: "length" },
]

const prompts: readonly PromptPart[] = [
  { type: "text", text: "And now?" },
  image,
  { type: "agent", name: "general" },
  task,
]
