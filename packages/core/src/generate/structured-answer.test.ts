import { describe, expect, it } from "vitest"
import { ProviderError } from "../base/errors.ts"
import type { ResponseFormat } from "../contracts/model.ts"
import type { GenerateRequest } from "../contracts/tool.ts"
import { structuredAnswer } from "./structured-answer.ts"

const schema = {
  type: "object",
  properties: { name: { type: "string" }, age: { type: "integer", minimum: 0 } },
  required: ["name"],
  additionalProperties: false,
}
const request = {
  system: "Be short.",
  messages: [{ role: "user" as const, content: [{ type: "text" as const, text: "Who?" }] }],
  schema,
}

/** A model that gives these answers, or fails with them. */
function answering(...texts: (string | Error)[]) {
  const asked: { request: GenerateRequest; format: ResponseFormat | undefined }[] = []
  const answer = async (given: GenerateRequest, format?: ResponseFormat) => {
    const text = texts[asked.push({ request: given, format }) - 1] ?? expect.fail("It was asked too often.")
    if (text instanceof Error) throw text
    const model = { providerID: "acme", modelID: "m" }
    return { text, finish: text.endsWith("…") ? ("length" as const) : ("stop" as const), model }
  }
  return { answer, asked }
}

describe("an answer by a schema", () => {
  it("is left to a provider that sees to it", async () => {
    const { answer, asked } = answering('{"name":"Ada","age":36}')
    expect(await structuredAnswer(answer, request, true)).toMatchObject({ json: { name: "Ada", age: 36 } })
    const { schema: _, ...plain } = request
    expect(asked).toEqual([{ request: plain, format: { schema } }])
  })

  it("is asked for in words elsewhere", async () => {
    const { answer, asked } = answering('```json\n{"name": "Ada"}\n```')
    expect(await structuredAnswer(answer, request, false)).toMatchObject({ json: { name: "Ada" } })
    expect(asked[0]?.format).toBeUndefined()
    expect(asked[0]?.request.system).toMatch(/^Be short\.\n\nAnswer with JSON alone[^]*"minimum":0/)
  })

  it("is asked for in words where the provider refuses the schema, and its other failures are told", async () => {
    const refused = new ProviderError("invalid-request", "Invalid schema.")
    const { answer, asked } = answering(refused, '{"name":"Ada"}')
    expect(await structuredAnswer(answer, request, true)).toMatchObject({ json: { name: "Ada" } })
    expect(asked.map(({ format }) => format !== undefined)).toEqual([true, false])

    const late = new ProviderError("overloaded" as never, "Later.")
    await expect(structuredAnswer(answering(late).answer, request, true)).rejects.toBe(late)
    await expect(structuredAnswer(answering(refused).answer, request, false)).rejects.toBe(refused)
  })

  it.each([
    ["no JSON", "It is Ada.", "It is not valid JSON."],
    ["cut off", '{"name": "A…', "It was cut off at its length limit."],
    ["of another form", '{"name": 7}', "name: "],
    ["of more than there may be", '{"name": "Ada", "extra": 1}', "The value: "],
    ["out of bounds", '{"name": "Ada", "age": -1}', "age: "],
  ])("is asked for once more, with the reason, where it is %s", async (_what, text, reason) => {
    const { answer, asked } = answering(text, '{"name":"Ada"}')
    expect(await structuredAnswer(answer, request, false)).toMatchObject({ json: { name: "Ada" } })
    const [first, said, repair] = asked[1]?.request.messages ?? []
    expect([first, said]).toEqual([...request.messages, { role: "assistant", content: [{ type: "text", text }] }])
    expect(JSON.stringify(repair)).toContain(`That does not fit the schema: ${reason}`)
  })

  it("is an error with the last answer where it does not fit then either", async () => {
    const { answer, asked } = answering("", "Still Ada.")
    await expect(structuredAnswer(answer, request, false)).rejects.toMatchObject({
      ...{ name: "StructuredOutputError", text: "Still Ada." },
      message: "The model gave no JSON that fits the schema: It is not valid JSON.",
    })
    expect(asked[1]?.request.messages.map(({ role }) => role)).toEqual(["user", "user"])
  })

  it("is any JSON where the schema has words that are not known here", async () => {
    const odd = { ...request, schema: { type: "nothing-known" } }
    expect(await structuredAnswer(answering("[1]").answer, odd, false)).toMatchObject({ json: [1] })
  })
})

describe("an answer that would exhaust who reads it", () => {
  const node = { type: "object", properties: { next: { $ref: "#/$defs/node" } } }
  const tree = { ...node, $defs: { node } }
  const asking = (given: object, text: string) => {
    return structuredAnswer(answering(text, text).answer, { ...request, schema: given as typeof schema }, true)
  }

  it("fits no schema when it is nested without end", async () => {
    const deep = '{"next":'.repeat(100_000) + "{}" + "}".repeat(100_000)
    await expect(asking(tree, deep)).rejects.toThrow("It has more than 200 levels.")
    expect(await asking(tree, '{"next":{"next":{}}}')).toMatchObject({ json: { next: { next: {} } } })
  })

  it("is read in no time when it opens a fence, and then has nothing but blanks", async () => {
    await expect(asking(tree, `\`\`\`json${"\n".repeat(200_000)}x`)).rejects.toThrow("It is not valid JSON.")
  })

  it("is taken for a schema that leads nowhere but to itself", async () => {
    expect(await asking({ $ref: "#" }, "[1]")).toMatchObject({ json: [1] })
  })
})
