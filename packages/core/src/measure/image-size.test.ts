import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { readDataURL } from "./data-url.ts"
import { imageSize } from "./image-size.ts"

const sizeOf = (bytes: Uint8Array) => {
  const data = readDataURL(`data:image/any;base64,${Buffer.from(bytes).toString("base64")}`)
  return data && imageSize(data)
}

const bigEndian = (length: 2 | 4, value: number) => {
  const buffer = Buffer.alloc(length)
  buffer.writeUIntBE(value, 0, length)
  return buffer
}
const littleEndian = (length: 2 | 3 | 4, value: number) => {
  const buffer = Buffer.alloc(length)
  buffer.writeUIntLE(value, 0, length)
  return buffer
}

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const filler = Buffer.alloc(40)

function png(width: number, height: number): Buffer {
  const size = [bigEndian(4, width), bigEndian(4, height)]
  return Buffer.concat([signature, bigEndian(4, 13), Buffer.from("IHDR"), ...size, filler])
}
function gif(width: number, height: number): Buffer {
  return Buffer.concat([Buffer.from("GIF89a"), littleEndian(2, width), littleEndian(2, height), filler])
}
/** `before`: lengths of the segments that stand before the frame. */
function jpeg(width: number, height: number, before: readonly number[], frame = 0xc0): Buffer {
  const segments = before.map((length) =>
    Buffer.concat([Buffer.from([0xff, 0xe1]), bigEndian(2, length + 2), Buffer.alloc(length, 7)]),
  )
  const size = [bigEndian(2, height), bigEndian(2, width)]
  return Buffer.concat([Buffer.from([0xff, 0xd8]), ...segments, Buffer.from([0xff, frame, 0, 17, 8]), ...size, filler])
}
function webp(chunk: string, content: readonly Buffer[]): Buffer {
  const head = [Buffer.from("RIFF"), Buffer.alloc(4), Buffer.from("WEBP"), Buffer.from(chunk), Buffer.alloc(4)]
  return Buffer.concat([...head, ...content, filler])
}

const side = (most: number) => fc.integer({ min: 1, max: most })

describe("imageSize", () => {
  it("reads PNG and GIF", () => {
    fc.assert(
      fc.property(side(100_000), side(60_000), (width, height) => {
        expect(sizeOf(png(width, height))).toEqual({ width, height })
        expect(sizeOf(gif(width % 60_000 || 1, height))).toEqual({ width: width % 60_000 || 1, height })
      }),
    )
  })

  it("finds the frame of a JPEG behind whatever segments, at any alignment", () => {
    const frames = fc.constantFrom(0xc0, 0xc1, 0xc2, 0xcf)
    fc.assert(
      fc.property(
        side(65_535),
        side(65_535),
        fc.array(fc.nat({ max: 5_000 }), { maxLength: 5 }),
        frames,
        (width, height, before, frame) => {
          expect(sizeOf(jpeg(width, height, before, frame))).toEqual({ width, height })
        },
      ),
    )
  })

  it("reads the three kinds of WebP", () => {
    fc.assert(
      fc.property(side(16_383), side(16_383), (width, height) => {
        const lossy = [
          Buffer.alloc(3),
          Buffer.from([0x9d, 0x01, 0x2a]),
          littleEndian(2, width),
          littleEndian(2, height),
        ]
        const lossless = [Buffer.from([0x2f]), littleEndian(4, ((height - 1) << 14) | (width - 1))]
        const extended = [Buffer.alloc(4), littleEndian(3, width - 1), littleEndian(3, height - 1)]
        expect(sizeOf(webp("VP8 ", lossy))).toEqual({ width, height })
        expect(sizeOf(webp("VP8L", lossless))).toEqual({ width, height })
        expect(sizeOf(webp("VP8X", extended))).toEqual({ width, height })
      }),
    )
  })

  it("says nothing of what is no image, broken off, or without an area", () => {
    expect(sizeOf(png(0, 10))).toBeUndefined()
    expect(sizeOf(jpeg(10, 10, []).subarray(0, 8))).toBeUndefined()
    expect(
      sizeOf(
        jpeg(
          10,
          10,
          Array.from({ length: 600 }, () => 0),
        ),
      ),
    ).toBeUndefined()
    expect(sizeOf(Buffer.from("plain text, and long enough for a header of an image"))).toBeUndefined()
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => void sizeOf(bytes)))
  })
})

describe("readDataURL", () => {
  it("gives any range of the bytes", () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 1, maxLength: 300 }),
        fc.nat({ max: 310 }),
        fc.nat({ max: 310 }),
        (bytes, offset, length) => {
          const data = readDataURL(`data:a/b;base64,${Buffer.from(bytes).toString("base64")}`)
          expect(data?.size).toBe(bytes.length)
          expect(data?.bytes(offset, length)).toEqual(Buffer.from(bytes.subarray(offset, offset + length)))
        },
      ),
    )
  })

  it("is for base64 alone", () => {
    expect(readDataURL("https://example.com/a.png")).toBeUndefined()
    expect(readDataURL("data:text/plain,hello")).toBeUndefined()
    expect(readDataURL("data:")).toBeUndefined()
  })
})
