import { memoryStorage } from "@pawl/storage-memory"
import { describe, expect, it } from "vitest"
import { testEngine, testTool } from "../../test/engine-fixture.ts"
import { calls, said, textOf, windowModel } from "../../test/window-model.ts"
import { createEngine } from "../create-engine.ts"
import type { ModelRequest } from "../contracts/model.ts"

const answering = () => windowModel({ context: 100_000, agent: () => said("Yes.") })

describe("a pinned note", () => {
  it("reaches the model with the user's next message, once", async () => {
    const model = answering()
    await using test = await testEngine({ model })
    await test.ask("Hello.")

    const { pins } = await test.engine.pin(test.session.id, "  Never touch main.  ")
    await test.ask("Go on.")
    await test.ask("And on.")

    expect(pins).toMatchObject([{ text: "Never touch main.", time: { created: expect.any(Number) as number } }])
    expect(textOf(model.asked.at(-1) as ModelRequest).split("Never touch main.")).toHaveLength(2)
    expect(test.events.filter(({ type }) => type === "session.updated").length).toBeGreaterThan(0)
  })

  it("reaches the model with the next message also when it was pinned while the agent worked", async () => {
    const agent = (_request: ModelRequest, n: number) => (n === 0 ? calls("pin", {}, "call_1") : said("Yes."))
    const model = windowModel({ context: 100_000, agent })
    const pin = testTool("pin", async () => {
      await test.engine.pin(test.session.id, "Never touch main.")
      return "pinned"
    })
    await using test = await testEngine({ model, tools: [pin] })
    await test.ask("Work.")
    await test.ask("Go on.")
    expect(textOf(model.asked.at(-1) as ModelRequest)).toContain("Never touch main.")
  })

  it("is in the context after a compaction, and no longer after one that follows its removal", async () => {
    const model = answering()
    await using test = await testEngine({ model })
    await test.ask(`Read this. ${"word ".repeat(3000)}`)
    await test.ask("And this.")
    const { pins = [] } = await test.engine.pin(test.session.id, "Never touch main.")

    await test.engine.compact(test.session.id)
    await test.ask("Go on.")
    expect(textOf(model.asked.at(-1) as ModelRequest)).toContain("Never touch main.")

    const after = await test.engine.unpin(test.session.id, pins[0]?.id ?? "")
    expect(after.pins).toEqual([])
    await test.ask(`Read that. ${"word ".repeat(3000)}`)
    await test.ask("And that.")
    await test.engine.compact(test.session.id)
    await test.ask("Go on.")
    expect(textOf(model.asked.at(-1) as ModelRequest)).not.toContain("Never touch main.")
  })

  it.each([
    ["nothing", " \n", "The note is empty"],
    ["a book", "x".repeat(4001), "The note has 4001 characters, and at most 4000 are kept"],
  ])("is refused where it is %s", async (_what, text, message) => {
    await using test = await testEngine({ model: answering() })
    await expect(test.engine.pin(test.session.id, text)).rejects.toThrow(message)
    expect((await test.engine.getSession(test.session.id)).pins).toBeUndefined()
  })

  it("is refused where there are too many of them", async () => {
    await using test = await testEngine({ model: answering() })
    for (let n = 0; n < 4; n++) await test.engine.pin(test.session.id, "x".repeat(4000))
    await expect(test.engine.pin(test.session.id, "x")).rejects.toThrow("With this note 16001 characters")
  })

  it("that nobody has pinned cannot be removed, and none be pinned to a session that is not there", async () => {
    await using test = await testEngine({ model: answering() })
    const { pins = [] } = await test.engine.pin(test.session.id, "a")
    await expect(test.engine.unpin(test.session.id, "pin_x")).rejects.toThrow(`It has ${pins[0]?.id}.`)
    await expect(test.engine.pin("ses_x", "a")).rejects.toMatchObject({ name: "NotFoundError" })
  })

  it("is not lost where two engines pin at the same time", async () => {
    const storage = memoryStorage()
    await using test = await testEngine({ model: answering(), storage })
    await using other = await createEngine({ storage, providers: [] })
    const { id } = test.session
    await Promise.all([
      ...["a", "b", "c"].map((text) => test.engine.pin(id, text)),
      ...["d", "e", "f"].map((text) => other.pin(id, text)),
    ])
    const texts = (await test.engine.getSession(id)).pins?.map(({ text }) => text).toSorted()
    expect(texts).toEqual(["a", "b", "c", "d", "e", "f"])
  })
})
