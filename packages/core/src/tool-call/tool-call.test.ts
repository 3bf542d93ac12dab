import { call, finish, scriptedModel, text } from "@pawl/provider-replay"
import { memoryStorage } from "@pawl/storage-memory"
import { describe, expect, it } from "vitest"
import { testEngine, testTool, type TestEngineOptions } from "../../test/engine-fixture.ts"

const never = () => new Promise<never>(() => {})
const line = "x".repeat(100)

/** The part of one call of `look`, in a run that then comes to its end. */
async function looked(options: Omit<TestEngineOptions, "model">) {
  const model = scriptedModel([
    [call("look", {}), finish("tool-calls")],
    [text("Done."), finish("stop")],
  ])
  await using test = await testEngine({ model, ...options })
  const result = await test.ask("Look")
  const [part] = await test.parts("tool")
  return { type: result.type, state: part?.state, id: part?.id }
}

describe("a tool that does not say what it needs", () => {
  it("ends in an error after the deadline, and is not run", async () => {
    const look = testTool("look", async () => expect.fail("it was run"), { permissions: never })
    expect(await looked({ tools: [look], deadlines: { tool: 200 } })).toMatchObject({
      type: "answered",
      state: { status: "error", error: "look did not say what it needs within 0.2 s." },
    })
  })

  it("does not hold up an abort", async () => {
    const model = scriptedModel([[call("look", {}), finish("tool-calls")]])
    const look = testTool("look", async () => expect.fail("it was run"), {
      permissions: () => {
        void test.engine.abort(test.session.id)
        return never()
      },
    })
    await using test = await testEngine({ model, tools: [look] })

    expect((await test.ask("Look")).type).toBe("aborted")
    expect(await test.parts("tool")).toMatchObject([{ state: { status: "error", metadata: { interrupted: true } } }])
  })
})

describe("a long output that cannot be kept", () => {
  const look = testTool("look", async () => Array(10).fill(line).join("\n"))
  const outputLimits = { lines: 3 }

  it.each<[string, Omit<TestEngineOptions, "model">, RegExp]>([
    ["in time", { keepOutput: never }, /kept: storing it took longer than 0.05 s$/],
    ["at all", { keepOutput: () => Promise.reject(new Error("disk full")) }, /kept: disk full$/],
    ["as a blob", { storage: withoutBlobs() }, /kept: no blobs$/],
  ])("%s is the call's result all the same, and says so", async (_what, options, note) => {
    const { type, state } = await looked({ tools: [look], outputLimits, deadlines: { tool: 50 }, ...options })

    expect(type).toBe("answered")
    expect(state).toMatchObject({ status: "completed", metadata: { truncated: true } })
    if (state?.status !== "completed") return
    expect(state.output.startsWith(`${line}\n${line}\n${line}\n`)).toBe(true)
    expect(state.output).toMatch(note)
    expect(state.output).toContain("7 lines truncated")
  })
})

it("says in bytes how much of one giant line is left out", async () => {
  const look = testTool("look", async () => `é${line}`)
  const { state } = await looked({ tools: [look], outputLimits: { bytes: 12 } })
  expect(state).toMatchObject({ output: expect.stringMatching(/^éx{10}\n\n\.\.\. 90 bytes truncated\. /) as string })
})

it("gives each attachment of a result an id of its own", async () => {
  const file = { type: "file", mime: "image/png", url: "data:image/png;base64,AA==" } as const
  const look = {
    ...testTool("look", async () => ""),
    execute: async () => ({ title: "", output: "", attachments: [file, file, file] }),
  }
  const { state, id } = await looked({ tools: [look] })

  if (state?.status !== "completed") return expect.fail("the call did not complete")
  const ids = (state.attachments ?? []).map((attachment) => attachment.id)
  expect(new Set(ids).size).toBe(3)
  for (const each of ids) expect(each.startsWith(`${id}_`)).toBe(true)
})

function withoutBlobs() {
  const storage = memoryStorage()
  const put = () => Promise.reject(new Error("no blobs"))
  return { ...storage, blobs: { ...storage.blobs, put } }
}
