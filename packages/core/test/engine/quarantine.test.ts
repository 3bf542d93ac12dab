import { describe, expect, it } from "vitest"
import { testEngine, testTool } from "../engine-fixture.ts"
import { calls, said, textOf, windowModel } from "../window-model.ts"
import { ProviderError } from "../../src/base/errors.ts"
import type { FileContent, Model, ModelRequest } from "../../src/contracts/model.ts"

// The smallest PNG there is: one pixel.
const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="
const image = (name: string) => {
  return { type: "file", mime: "image/png", filename: name, url: `data:image/png;base64,${PNG}` } as const
}
const files = (request: ModelRequest | undefined) => {
  return (
    request?.messages.flatMap(({ content }) =>
      content.flatMap((item) => (item.type === "file" ? [item.filename] : [])),
    ) ?? []
  )
}

/** Names all files of a refused request as the refused ones. */
const findRejectedFiles: NonNullable<Model["findRejectedFiles"]> = async ({ message }, { messages }) => {
  const all = messages.flatMap(({ content }): FileContent[] => {
    return content.flatMap((item) => {
      if (item.type === "tool-result") return item.attachments ?? []
      return item.type === "file" ? item : []
    })
  })
  return all.length > 0 ? { files: all, reason: `the provider refused it: ${message}` } : undefined
}

/** Refuses every request with an image in it, as a provider does that cannot read it. */
function picky() {
  const model = windowModel({
    context: 100_000,
    agent: (request) => {
      if (files(request).length > 0) {
        throw new ProviderError(
          "invalid-request",
          "messages.0.content.1.image.source.base64: Could not process image",
          { statusCode: 400 },
        )
      }
      return said("Fine.")
    },
  })
  return { ...model, findRejectedFiles }
}

describe("an attachment that the provider refuses", () => {
  it("is kept out of the requests from then on, stays stored, and the turn goes on", async () => {
    const model = picky()
    await using test = await testEngine({ model })
    const parts = [{ type: "text", text: "See." } as const, image("a.png")]

    const result = await test.engine.prompt({ sessionID: test.session.id, parts })

    expect(result.type).toBe("answered")
    expect(model.asked).toHaveLength(2)
    expect(textOf(model.asked[1] as ModelRequest)).toContain(
      "The attached a.png (image/png) is left out: the provider refused it",
    )
    const [file] = await test.parts("file")
    expect(file).toMatchObject({
      url: image("").url,
      rejected: { reason: expect.stringContaining("Could not process image") as string },
    })
    expect((await test.ask("And now?")).type).toBe("answered")
    expect((await test.messages()).filter(({ info }) => info.role === "assistant" && info.error)).toEqual([])
  })

  it("is found among those of tools", async () => {
    const model = windowModel({
      context: 100_000,
      agent: (request, n) => {
        if (n === 0) return calls("shot", {}, "call_1")
        if (JSON.stringify(request.messages).includes(PNG)) {
          throw new ProviderError("invalid-request", "Invalid image: unsupported or corrupt", { statusCode: 400 })
        }
        return said("Fine.")
      },
    })
    const shot = testTool("shot", async () => "", {
      execute: async () => ({ title: "shot", output: "Taken.", attachments: [image("shot.png")] }),
    })
    await using test = await testEngine({ model: { ...model, findRejectedFiles }, tools: [shot] })
    expect((await test.ask("Look.")).type).toBe("answered")
    expect(textOf(model.asked.at(-1) as ModelRequest)).toContain("shot.png (image/png) is left out")
  })
})

describe("an attachment that no provider would take", () => {
  it("is replaced by a text before it is sent", async () => {
    const model = windowModel({ context: 100_000, agent: () => said("Fine.") })
    await using test = await testEngine({ model })
    const broken = { ...image("broken.png"), url: "data:image/png;base64,AAAA" }
    await test.engine.prompt({ sessionID: test.session.id, parts: [{ type: "text", text: "See." }, broken] })
    expect(files(model.asked[0])).toEqual([])
    expect(textOf(model.asked[0] as ModelRequest)).toContain("broken.png (image/png) is left out")
  })
})
