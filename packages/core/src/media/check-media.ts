import type { FileLimits, ImageSize } from "../contracts/input-rules.ts"
import type { FileContent } from "../contracts/model.ts"
import { type DataReader, readDataURL, encodedBytes } from "../measure/data-url.ts"
import { imageSize } from "../measure/image-size.ts"
import { mediaType } from "./media-type.ts"
import type { ImageBounds } from "./resize-image.ts"

export type MediaCheck =
  /** `mime`: the real type of the file, which may differ from its declared type. */
  | { readonly type: "ok"; readonly mime: string }
  /** The image fits after it was resized to these bounds. */
  | ({ readonly type: "downscale"; readonly reason: string } & ImageBounds)
  /** `reason`: for the model and users; completes "it is left out: …". */
  | { readonly type: "replace"; readonly reason: string }

type MediaFile = Pick<FileContent, "mime" | "url">

/**
 * Checks a file against the limits of a provider, by its bytes. A file that only the provider will fetch is checked by
 * its type.
 */
export function checkMedia({ mime, url }: MediaFile, limits: FileLimits): MediaCheck {
  const data = readDataURL(url)
  if (!data) return url.startsWith("data:") ? replace("it is not encoded in base64") : checkType(mime, limits)
  if (data.size === 0) return replace("it is empty")
  // A text may contain any bytes, such as the beginning of a PDF.
  const found = mime.startsWith("text/") ? undefined : mediaType(data)
  const type = found ?? mime
  return type.startsWith("image/") ? checkImage(data, found, mime, limits) : checkOther(data, found, type, limits)
}

/** Image types that can be converted. */
const DRAWABLE = ["image/png", "image/jpeg", "image/webp", "image/gif", "image/tiff", "image/avif", "image/svg+xml"]

/** Image types whose size can be read from a complete header. */
const SIZED = ["image/png", "image/jpeg", "image/webp", "image/gif"]

function checkImage(data: DataReader, found: string | undefined, mime: string, { image }: FileLimits): MediaCheck {
  // A vector image is text, which cannot be recognized by its first bytes.
  const type = found ?? (mime === "image/svg+xml" ? mime : undefined)
  if (type === undefined) return replace(`it is called ${mime}, but its content is not an image`)
  const size = imageSize(data)
  const reason = imageProblem(data, type, size, image)
  if (reason !== undefined) {
    return DRAWABLE.includes(type) ? { type: "downscale", ...boundsFor(size, image), reason } : replace(reason)
  }
  return size || !SIZED.includes(type) ? { type: "ok", mime: type } : replace("its header is damaged")
}

function imageProblem(
  data: DataReader,
  type: string,
  size: ImageSize | undefined,
  { mimes, bytes, side }: FileLimits["image"],
): string | undefined {
  if (!mimes.includes(type)) return notTaken(type)
  if (encodedBytes(data) > bytes) return tooLarge(data, bytes)
  if (!size || Math.max(size.width, size.height) <= side) return undefined
  return `its ${size.width} × ${size.height} pixels are more than the ${side} on a side that the provider takes`
}

/** Returns the bounds for an image, in its own proportions if these are known. */
function boundsFor(size: ImageSize | undefined, { mimes, bytes, side }: FileLimits["image"]): ImageBounds {
  if (!size) return { width: side, height: side, bytes, mimes }
  const factor = Math.min(1, side / Math.max(size.width, size.height))
  const scaled = (length: number) => Math.max(1, Math.round(length * factor))
  return { width: scaled(size.width), height: scaled(size.height), bytes, mimes }
}

function checkOther(data: DataReader, found: string | undefined, type: string, limits: FileLimits): MediaCheck {
  const taken = checkType(type, limits)
  if (taken.type !== "ok") return taken
  const { document, audio, video } = limits
  if (type === "application/pdf" && document) {
    if (found === undefined) return replace("it is called a PDF, but its content is not a PDF")
    return encodedBytes(data) > document.bytes ? replace(tooLarge(data, document.bytes)) : taken
  }
  const most = type.startsWith("audio/") ? audio?.bytes : video?.bytes
  return most !== undefined && encodedBytes(data) > most ? replace(tooLarge(data, most)) : taken
}

function checkType(mime: string, { image, document, audio, video }: FileLimits): MediaCheck {
  const isTaken =
    image.mimes.includes(mime) ||
    (mime === "application/pdf" && document !== undefined) ||
    audio?.mimes.includes(mime) === true ||
    video?.mimes.includes(mime) === true
  return isTaken ? { type: "ok", mime } : replace(notTaken(mime))
}

function replace(reason: string): MediaCheck {
  return { type: "replace", reason }
}

function notTaken(mime: string): string {
  return `the provider takes no ${mime}`
}

function tooLarge(data: DataReader, most: number): string {
  return `its ${megabytes(encodedBytes(data))} are more than the ${megabytes(most)} that the provider takes`
}

function megabytes(bytes: number): string {
  return `${Math.round((bytes / 1_048_576) * 10) / 10} MB`
}
