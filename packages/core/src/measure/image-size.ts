import type { ImageSize } from "../contracts/input-rules.ts"
import type { DataReader } from "./data-url.ts"

/** Returns the size in the header of a PNG, JPEG, GIF or WebP; undefined if the header has no size. */
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

/** Reads the size of lossy, lossless and extended files, which store it differently. */
function webpSize(head: Buffer): ImageSize | undefined {
  const chunk = head.toString("latin1", 12, 16)
  if (chunk === "VP8 ") return { width: head.readUInt16LE(26) & 0x3f_ff, height: head.readUInt16LE(28) & 0x3f_ff }
  if (chunk === "VP8X") return { width: head.readUIntLE(24, 3) + 1, height: head.readUIntLE(27, 3) + 1 }
  if (chunk !== "VP8L") return undefined
  const bits = head.readUInt32LE(21)
  return { width: (bits & 0x3f_ff) + 1, height: ((bits >>> 14) & 0x3f_ff) + 1 }
}

/** Maximum number of segments, more than any camera writes. Previews and color profiles may come before the frame. */
const MAX_SEGMENTS = 500

/** Follows the segments to the one that describes the frame, without decoding the others. */
function jpegSize(data: DataReader): ImageSize | undefined {
  let at = 2
  for (let segment = 0; segment < MAX_SEGMENTS; segment++) {
    const head = data.bytes(at, 9)
    if (head.length < 9 || head[0] !== 0xff) return undefined
    const marker = head.readUInt8(1)
    if (isFrame(marker)) return { width: head.readUInt16BE(7), height: head.readUInt16BE(5) }
    // Skips a fill byte before the marker, or a marker without a length.
    if (marker === 0xff) at += 1
    else if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)) at += 2
    else at += 2 + head.readUInt16BE(2)
  }
  return undefined
}

/** Returns whether a marker is SOF0 to SOF15. Three others in that range are tables and an extension. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
}
