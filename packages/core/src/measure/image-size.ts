import type { DataReader } from "./data-url.ts"

export interface ImageSize {
  /** Pixels, at least 1. */
  readonly width: number
  readonly height: number
}

/** The size that a PNG, JPEG, GIF or WebP states in its header; undefined where it states none. */
export function imageSize(data: DataReader): ImageSize | undefined {
  const head = data.bytes(0, 30)
  if (head.length < 10) return undefined
  const size = sizeInHead(head) ?? (head.readUInt16BE(0) === 0xff_d8 ? jpegSize(data) : undefined)
  return size && size.width > 0 && size.height > 0 ? size : undefined
}

function sizeInHead(head: Buffer): ImageSize | undefined {
  if (head.toString("latin1", 1, 4) === "PNG" && head.length >= 24) {
    return { width: head.readUInt32BE(16), height: head.readUInt32BE(20) }
  }
  if (head.toString("latin1", 0, 4) === "GIF8") return { width: head.readUInt16LE(6), height: head.readUInt16LE(8) }
  if (head.toString("latin1", 8, 12) === "WEBP" && head.length >= 30) return webpSize(head)
  return undefined
}

/** Lossy, lossless and extended files keep their size in three ways. */
function webpSize(head: Buffer): ImageSize | undefined {
  const chunk = head.toString("latin1", 12, 16)
  if (chunk === "VP8 ") return { width: head.readUInt16LE(26) & 0x3f_ff, height: head.readUInt16LE(28) & 0x3f_ff }
  if (chunk === "VP8X") return { width: head.readUIntLE(24, 3) + 1, height: head.readUIntLE(27, 3) + 1 }
  if (chunk !== "VP8L") return undefined
  const bits = head.readUInt32LE(21)
  return { width: (bits & 0x3f_ff) + 1, height: ((bits >>> 14) & 0x3f_ff) + 1 }
}

/** Previews and color profiles may stand before the frame: more segments than this, no camera writes. */
const MOST_SEGMENTS = 500

/** Walks from segment to segment to the one that describes the frame, without decoding what lies between. */
function jpegSize(data: DataReader): ImageSize | undefined {
  let at = 2
  for (let segment = 0; segment < MOST_SEGMENTS; segment++) {
    const head = data.bytes(at, 9)
    if (head.length < 9 || head[0] !== 0xff) return undefined
    const marker = head.readUInt8(1)
    if (isFrame(marker)) return { width: head.readUInt16BE(7), height: head.readUInt16BE(5) }
    // A fill byte before the marker, or a marker that has no length.
    if (marker === 0xff) at += 1
    else if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)) at += 2
    else at += 2 + head.readUInt16BE(2)
  }
  return undefined
}

/** SOF0 to SOF15; the three others of that range are tables and an extension. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
}
