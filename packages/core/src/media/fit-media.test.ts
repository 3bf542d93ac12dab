import { describe, expect, it, vi } from "vitest"
import type { FilePart } from "../record/message.ts"
import { toModelMessages } from "../request/model-messages.ts"
import { file, image } from "../../test/corpus/media/files.ts"
import { fitMedia } from "./fit-media.ts"
import { generous, strict } from "../../test/corpus/media/file-limits.ts"
import type { ResizeImage } from "./resize-image.ts"

const owner = { id: "prt_1", sessionID: "ses_1", messageID: "msg_1" } as const
const part = ({ mime, filename, url }: ReturnType<typeof file>): FilePart => {
  return { ...owner, type: "file", mime, ...(filename ? { filename } : {}), url }
}
const now = () => 7
const deadlines = { image: 0 }
const large = part(image("large.png", "image/png", { width: 4_000, height: 1_000 }))

describe("a file that is to enter the history", () => {
  it("stays as it is where it fits", async () => {
    const small = part(image("a.png", "image/png", { width: 4, height: 4 }))
    expect(await fitMedia({ now, deadlines }, small, strict)).toBe(small)
  })

  it("is called by its true type", async () => {
    const small = image("a.png", "image/png", { width: 4, height: 4 })
    const fitted = await fitMedia({ now, deadlines }, part({ ...small, mime: "image/jpeg" }), strict)
    expect(fitted).toMatchObject({ mime: "image/png", url: small.url })
  })

  it("is drawn smaller where it is too large, with what is asked for", async () => {
    const resizeImage = vi.fn<ResizeImage>(async () => ({ mime: "image/jpeg", content: new Uint8Array([1, 2, 3]) }))
    const fitted = await fitMedia({ now, deadlines, resizeImage }, large, strict)
    expect(fitted).toEqual({ ...large, mime: "image/jpeg", url: "data:image/jpeg;base64,AQID" })
    expect(resizeImage.mock.calls[0]?.[1]).toMatchObject({ width: 2_000, height: 500 })
    expect(Buffer.from(resizeImage.mock.calls[0]?.[0] ?? []).toString("base64")).toBe(large.url.split(",")[1])
  })

  it.each<[string, ResizeImage | undefined]>([
    ["nobody can draw it smaller", undefined],
    ["it cannot be drawn smaller", () => Promise.resolve(undefined)],
  ])("is replaced by words where %s, and stays stored", async (_name, resizeImage) => {
    const fitted = await fitMedia({ now, deadlines, resizeImage }, large, strict)

    expect(fitted).toMatchObject({ url: large.url, rejected: { time: 7 } })
    const info = { id: "msg_1", sessionID: "ses_1", role: "user" } as never
    expect(toModelMessages({ info, parts: [fitted] }, { providerID: "anthropic", modelID: "claude" })).toEqual([
      {
        role: "user",
        content: [
          {
            type: "text",
            text: "[The attached large.png (image/png) is left out: its 4000 × 1000 pixels are more than the 2000 on a side that the provider takes]",
          },
        ],
      },
    ])
  })

  it("is replaced by words where the provider takes nothing of its kind", async () => {
    const movie = part(file("a.mp4", "video/mp4", Buffer.from("x")))
    expect(await fitMedia({ now, deadlines }, movie, generous)).toMatchObject({
      rejected: { reason: "the provider takes no video/mp4", time: 7 },
    })
  })
})

const never = () => new Promise<never>(() => {})

describe("an image that cannot be drawn smaller", () => {
  it.each<[string, ResizeImage, number]>([
    ["it took longer than 0.02 s", never, 20],
    ["sharp is broken", () => Promise.reject(new Error("sharp is broken")), 0],
    [
      "sharp is gone",
      () => {
        throw new Error("sharp is gone")
      },
      0,
    ],
  ])("is left out with the reason: %s", async (reason, resizeImage, ms) => {
    const fitted = await fitMedia({ now, deadlines: { image: ms }, resizeImage }, large, strict)
    expect(fitted).toMatchObject({ url: large.url, rejected: { time: 7 } })
    expect(fitted.rejected?.reason).toMatch(new RegExp(`pixels .* could not be drawn smaller: ${reason}$`))
  })

  it("is waited for no longer than anybody wants it", async () => {
    const controller = new AbortController()
    const deps = { now, deadlines, resizeImage: never }
    const fitting = fitMedia(deps, large, strict, controller.signal)
    controller.abort(new Error("the run was aborted"))
    expect((await fitting).rejected?.reason).toMatch(/the run was aborted$/)
  })
})
