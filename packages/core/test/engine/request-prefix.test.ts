import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { expect, it } from "vitest"
import { testEngine, testTool } from "../engine-fixture.ts"
import { storages, temporaryDirectory } from "../storages.ts"
import { around, calls, look, said, textOf, windowModel } from "../window-model.ts"
import type { ModelRequest } from "../../src/contracts/model.ts"
import type { Session } from "../../src/record/message.ts"

it.each(storages)(
  "each request begins with the bytes of the one before it, whatever comes in between, over $name",
  async ({ open }) => {
    const storage = await open()
    const directory = await temporaryDirectory()
    for (const at of [0, 1, 2]) {
      await mkdir(join(directory, `sub${at}`))
      await writeFile(join(directory, `sub${at}`, "AGENTS.md"), `Rules of ${at}.`)
    }
    // It reads halves of characters, in places with instructions of their own.
    const read = testTool("read", async () => "", {
      effect: "pure",
      async execute(input) {
        const path = String(input["filePath"])
        return { title: path, output: "content \ud800 \u0000 end", metadata: { filepath: join(directory, path) } }
      },
    })
    const same = said(
      "I look at the very same thing once more, as it was not clear to me what I had seen there before.",
    )
    const edit = testTool("edit", async () => "")
    const agents = [
      { name: "build" },
      { name: "plan" },
      {
        name: "review",
        prompt: "You review.",
        permission: [{ permission: "edit", pattern: "*", action: "deny" as const }],
      },
    ]
    const requests: ModelRequest[] = []
    let session: Session | undefined

    // An engine for each prompt, as after a restart.
    for (const [turn, text] of ["One", "Two", "Three \udc00", "Four"].entries()) {
      const inner = windowModel({
        context: 1_000_000,
        agent(_request, n) {
          if (n === 7) return said(`Done \ud83d ${turn} \udc00.`)
          if (n < 4) return [...same, ...calls("look", { at: `place ${n}` }, `call_${turn}_${n}`)]
          return calls("read", { filePath: `sub${n % 3}/x.ts`, odd: "\ud83d" }, `call_${turn}_${n}`)
        },
      })
      const model = around(inner, (request, signal, stream) => {
        requests.push(request)
        return stream(request, signal)
      })
      const options = { model, tools: [look, read, edit], storage, repetition: { response: "nudge" } } as const
      await using test = await testEngine({ ...options, agents, ...(session ? { session } : {}) })
      session ??= await test.engine.createSession({ directory })
      await mkdir(directory, { recursive: true })
      await writeFile(join(directory, "AGENTS.md"), `Rules of the project, edition ${turn}.`)
      await test.engine.pin(session.id, `Note ${turn}.`)
      const agent = ["plan", "build", "review", "plan"][turn] as string
      const parts = [{ type: "text", text }] as const
      expect(await test.engine.prompt({ sessionID: session.id, agent, parts })).toMatchObject({ type: "answered" })
    }

    const last = textOf(requests.at(-1) ?? expect.fail())
    for (const expected of ["Rules of 2.", "Note 3.", "the same", "system-reminder", "You review.", "edition 3"])
      expect(last).toContain(expected)
    expect(requests.length).toBeGreaterThan(30)
    for (const [at, request] of requests.slice(1).entries()) {
      const before = requests[at] as ModelRequest
      expect(request.system).toEqual(before.system)
      expect(JSON.stringify(request.tools)).toBe(JSON.stringify(before.tools))
      const begin = request.messages.slice(0, before.messages.length)
      expect(JSON.stringify(begin), `request ${at + 1}`).toBe(JSON.stringify(before.messages))
    }
  },
)
