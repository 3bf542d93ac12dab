import { type ModelMessage, ProviderError } from "@pawl/core/provider"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { image } from "../../test/rejections/files.ts"
import { files, talk } from "../../test/rejections/talk.ts"
import { findRejected } from "./find-rejected.ts"

const refusal = (message: string) => new ProviderError("invalid-request", message, { statusCode: 400 })
const names = (rejection: ReturnType<typeof findRejected>) => rejection?.files.map(({ filename }) => filename)

describe("what a provider refused", () => {
  it("is where it says, for any conversation in any format", () => {
    const picture = (name: number) => image(`${name}.png`, "image/png", { width: name + 1, height: 1 })
    const text = { type: "text", text: "x" } as const
    const call = { type: "tool-call", callID: "c", name: "read", input: {} } as const
    const turn = fc.oneof(
      fc.array(fc.boolean(), { minLength: 1, maxLength: 3 }).map((isFile) => ({ role: "user" as const, isFile })),
      fc.array(fc.nat(2), { minLength: 1, maxLength: 3 }).map((attached) => ({ role: "tool" as const, attached })),
    )
    fc.assert(
      fc.property(fc.array(turn, { minLength: 1, maxLength: 8 }), fc.nat(), (turns, seed) => {
        // Each place is written down as the message is made, by the rules of the formats.
        const messages: ModelMessage[] = []
        const places: { file: string; anthropic: string; google: string; responses: string }[] = []
        const at = { anthropic: -1, block: 0, google: -1, responses: 0 }
        let isUser = false
        let made = 0
        const begin = (blocks: number) => {
          if (!isUser) [at.anthropic, at.block] = [at.anthropic + 1, 0]
          isUser = true
          at.google++
          const start = at.block
          at.block += blocks
          return (file: string, block: number) => {
            places.push({
              file,
              anthropic: `messages.${at.anthropic}.content.${start + block}`,
              google: `contents[${at.google}].parts[${block}]`,
              responses: `input[${at.responses}].content[${block}]`,
            })
          }
        }
        for (const each of turns) {
          if (each.role === "user") {
            const content = each.isFile.map((isFile) => (isFile ? picture(made++) : text))
            messages.push({ role: "user", content })
            const place = begin(content.length)
            for (const [block, item] of content.entries()) if (item.type === "file") place(String(item.filename), block)
            at.responses++
            continue
          }
          const results = each.attached.map((count) => Array.from({ length: count }, () => picture(made++)))
          messages.push({ role: "assistant", content: results.map(() => call) })
          isUser = false
          at.anthropic++
          at.google++
          const frame = { type: "tool-result", callID: "c", name: "read", output: "x", isError: false } as const
          messages.push({ role: "tool", content: results.map((attachments) => ({ ...frame, attachments })) })
          begin(results.length)
          at.responses += 2 * results.length
          const attached = results.flat()
          if (attached.length > 0) {
            const place = begin(attached.length + 1)
            for (const [block, item] of attached.entries()) place(String(item.filename), block + 1)
            at.responses++
          }
        }
        fc.pre(places.length > 0)
        const place = places[seed % places.length]
        for (const format of ["anthropic", "google", "responses"] as const) {
          const error = refusal(`${place?.[format]}.image: the image is broken`)
          expect(names(findRejected(error, { system: [], messages }))).toEqual([place?.file])
        }
      }),
    )
  })

  it("is told in the provider's words, without the place", () => {
    const body = JSON.stringify({ error: { message: "messages.0.content.1.image.source: image exceeds 5 MB maximum" } })
    const error = new ProviderError("invalid-request", "The server rejected the request (400): …", {
      responseBody: body,
    })
    expect(findRejected(error, talk())?.reason).toBe("the provider refused it: image exceeds 5 MB maximum")
    const long = findRejected(refusal(`Could not process image ${"x".repeat(5_000)}`), talk())
    expect(long?.reason.length).toBeLessThan(300)
  })

  it("is the newest that was not answered before; after a change of the provider all are new", () => {
    const error = refusal("Could not process image")
    expect(names(findRejected(error, talk()))).toEqual([files.diagram.filename])
    expect(names(findRejected(error, talk(["photo", "diagram"])))).toEqual([files.shot.filename])
    const vague = refusal("Request contains an invalid argument.")
    expect(findRejected(vague, talk(["photo", "report", "diagram"]))).toBeUndefined()
    expect(names(findRejected(vague, talk(["photo", "report", "diagram"]), 0))).toEqual([files.shot.filename])
  })

  it("is found among several files inside of one result, which stand behind its text", () => {
    const attachments = [files.old, files.shot, files.diagram]
    const messages: ModelMessage[] = [
      { role: "user", content: [{ type: "text", text: "Look." }] },
      { role: "assistant", content: [{ type: "tool-call", callID: "c", name: "read", input: {} }] },
      {
        role: "tool",
        content: [{ type: "tool-result", callID: "c", name: "read", output: "x", isError: false, attachments }],
      },
    ]
    const at = (inner: number) => refusal(`messages.2.content.0.tool_result.content.${inner}.image.source: broken`)
    const found = [0, 1, 2, 3].map((inner) => names(findRejected(at(inner), { system: [], messages }))?.[0])
    expect(found).toEqual(["old.png", "old.png", "shot.png", "diagram.gif"])
  })

  it("is the largest new file where a request has too many bytes, an old one only where none is new", () => {
    const large = (name: string, bytes: number) => image(name, "image/png", { width: 9, height: 9, bytes })
    const messages: ModelMessage[] = [
      { role: "user", content: [large("old.png", 900_000)] },
      { role: "assistant", content: [{ type: "text", text: "Seen." }] },
      { role: "user", content: [large("larger.png", 500_000), large("large.png", 400_000)] },
    ]
    const error = new ProviderError("overflow", "Request exceeds the maximum size", { statusCode: 413 })
    expect(names(findRejected(error, { system: [], messages }))).toEqual(["larger.png"])
    expect(names(findRejected(error, { system: [], messages: messages.slice(0, 2) }))).toEqual(["old.png"])
  })

  it.each(["auth", "rate-limited", "quota-exhausted", "transport", "incomplete-stream", "transient"] as const)(
    "is not looked for in an error of kind %s",
    (kind) => {
      expect(findRejected(new ProviderError(kind, "Could not process image"), talk())).toBeUndefined()
    },
  )

  it("is nothing where the request has no files", () => {
    expect(
      findRejected(refusal("Could not process image"), talk(["old", "shot", "photo", "report", "diagram"])),
    ).toBeUndefined()
  })
})
