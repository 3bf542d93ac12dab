import { expect, it, onTestFinished } from "vitest"
import { testEngine } from "../engine-fixture.ts"
import { look, looking, windowModel } from "../window-model.ts"

/** What the process writes itself, until the test ends. */
function written(): string[] {
  const chunks: string[] = []
  for (const stream of [process.stdout, process.stderr]) {
    const write = stream.write.bind(stream)
    stream.write = (chunk: string | Uint8Array) => {
      chunks.push(String(chunk))
      return true
    }
    onTestFinished(() => void (stream.write = write))
  }
  return chunks
}

it("goes on behind a provider's refusal of too long a request, and shows people nothing of it but that it compacts", async () => {
  const base = windowModel({ context: 20_000, output: 500, agent: looking(40) })
  const model = { ...base, info: { ...base.info, limit: { context: 0, output: 500 } } }
  const chunks = written()
  await using test = await testEngine({ model, tools: [look] })

  const result = await test.ask("Look everywhere.")

  if (result.type !== "answered") return expect.fail(result.type)
  expect(result.answer.parts).toMatchObject([{ type: "step-start" }, { type: "text" }, { type: "step-finish" }])
  const messages = await test.messages()
  const summaries = new Set(
    messages.flatMap(({ info }) => (info.role === "assistant" && info.summary ? [info.id] : [])),
  )
  const shown = test.events.flatMap((event) =>
    event.type === "message.part.delta" && !summaries.has(event.properties.messageID) ? [event.properties.delta] : [],
  )
  expect(shown.join("")).toBe("Done after 40.")
  const types = test.events.map(({ type }) => type)
  expect(types).toContain("session.compacted")
  expect(types.filter((type) => ["session.error", "session.notice"].includes(type))).toEqual([])
  expect(await test.parts("retry")).toEqual([])
  expect(chunks.join("")).toBe("")
})
