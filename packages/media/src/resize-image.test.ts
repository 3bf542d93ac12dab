import type { ImageBounds } from "@pawl/core/host"
import sharp, { type Sharp } from "sharp"
import { describe, expect, it } from "vitest"
import { resizeImage } from "./resize-image.ts"

const ALL = ["image/png", "image/jpeg", "image/webp", "image/gif"]
const bounds = (changes: Partial<ImageBounds> = {}): ImageBounds => {
  return { width: 100, height: 100, bytes: 1_000_000, mimes: ALL, ...changes }
}
type Format = "png" | "jpeg" | "webp" | "gif" | "tiff" | "avif"

/** Noise, which no encoder makes small; the same each time. */
function noise(width: number, height: number, channels: 3 | 4 = 3): Sharp {
  const pixels = Buffer.alloc(width * height * channels)
  let state = 1
  for (let at = 0; at < pixels.length; at++) {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    pixels[at] = state & 0xff
  }
  return sharp(pixels, { raw: { width, height, channels } })
}
const made = (format: Format, width = 300, height = 150) => noise(width, height).toFormat(format).toBuffer()

async function facts(image: Awaited<ReturnType<typeof resizeImage>>) {
  const { format, width, height } = await sharp(image?.content).metadata()
  return { mime: image?.mime, format, width, height }
}

describe("an image drawn smaller", () => {
  it.each<[Format, string, string]>([
    ["png", "image/png", "png"],
    ["jpeg", "image/jpeg", "jpeg"],
    ["webp", "image/webp", "webp"],
    ["gif", "image/png", "png"],
    ["tiff", "image/jpeg", "jpeg"],
  ])("from %s is %s, within its bounds and in its proportions", async (from, mime, format) => {
    const resized = await resizeImage(await made(from), bounds())
    expect(await facts(resized)).toEqual({ mime, format, width: 100, height: 50 })
  })

  it("is never enlarged", async () => {
    expect(await facts(await resizeImage(await made("png", 30, 20), bounds()))).toMatchObject({ width: 30, height: 20 })
  })

  it("becomes a type that is taken", async () => {
    const onlyJPEG = await resizeImage(await made("webp"), bounds({ mimes: ["image/jpeg"] }))
    expect(await facts(onlyJPEG)).toMatchObject({ mime: "image/jpeg", format: "jpeg" })
    expect(await resizeImage(await made("webp"), bounds({ mimes: ["image/heic"] }))).toBeUndefined()
  })

  it("gives up faithfulness before pixels, and pixels before it gives up", async () => {
    const content = await made("png", 100, 100)
    const asJPEG = await resizeImage(content, bounds({ bytes: 20_000 }))
    expect(await facts(asJPEG)).toMatchObject({ mime: "image/jpeg", width: 100 })
    const smaller = await resizeImage(content, bounds({ bytes: 5_000 }))
    const { width } = await facts(smaller)
    expect(width).toBeLessThan(100)
    expect(Buffer.from(smaller?.content ?? []).toString("base64").length).toBeLessThanOrEqual(5_000)
    expect(await resizeImage(content, bounds({ bytes: 100 }))).toBeUndefined()
  })

  it("keeps what is transparent, or shows it on white", async () => {
    const clear = await noise(20, 20, 4).ensureAlpha().png().toBuffer()
    const kept = await resizeImage(clear, bounds())
    expect((await sharp(kept?.content).metadata()).hasAlpha).toBe(true)
    const empty = await sharp({ create: { width: 4, height: 4, channels: 4, background: "#0000" } })
      .png()
      .toBuffer()
    const flat = await resizeImage(empty, bounds({ mimes: ["image/jpeg"] }))
    expect((await sharp(flat?.content).raw().toBuffer())[0]).toBeGreaterThan(250)
  })

  it("stands upright, as the camera meant it", async () => {
    const turned = await noise(200, 100).jpeg().withMetadata({ orientation: 6 }).toBuffer()
    expect(await facts(await resizeImage(turned, bounds()))).toMatchObject({ width: 50, height: 100 })
  })

  it("is drawn from lines as well", async () => {
    const drawing = Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" width="400" height="200"><rect width="9" height="9"/></svg>',
    )
    expect(await facts(await resizeImage(drawing, bounds()))).toEqual({
      mime: "image/png",
      format: "png",
      width: 100,
      height: 50,
    })
  })
})

describe("what is no image", () => {
  it.each([
    ["nothing", Buffer.alloc(0)],
    ["words", Buffer.from("<html>Not found</html>")],
    ["the beginning of a file", Buffer.from("\u{89}PNG\r\n\u{1A}\n\0\0\0\rIHDR", "latin1")],
  ])("is not drawn: %s", async (_name, content) => {
    expect(await resizeImage(content, bounds())).toBeUndefined()
  })

  it("is not drawn when it broke off in the middle", async () => {
    const whole = await made("jpeg")
    expect(await resizeImage(whole.subarray(0, whole.length / 2), bounds())).toBeUndefined()
  })

  it("is not drawn when it would take more memory than it may", async () => {
    const huge = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="12000" height="9000"/>')
    expect(await resizeImage(huge, bounds())).toBeUndefined()
  })
})
