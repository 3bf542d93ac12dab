import { within } from "../base/deadlines.ts"
import { messageOf } from "../base/errors.ts"
import type { FileLimits } from "../contracts/input-rules.ts"
import type { FilePart } from "../record/message.ts"
import { readDataURL } from "../measure/data-url.ts"
import { checkMedia } from "./check-media.ts"
import type { ImageBounds, ResizedImage, ResizeImage } from "./resize-image.ts"

export interface FitMediaDeps {
  /** Resizes images. If missing, images that are too large are left out. */
  readonly resizeImage?: ResizeImage | undefined
  /** Returns epoch milliseconds. */
  readonly now: () => number
  /** Milliseconds that resizing an image may take. 0: no limit. */
  readonly deadlines: { readonly image: number }
}

/**
 * Returns a file in a form that may enter the history: unchanged, with its real type, resized, or marked as `rejected`
 * with a reason, which the model reads instead. A file marked as rejected keeps its content. The promise never rejects;
 * `signal` ends the resizing.
 */
export async function fitMedia(
  deps: FitMediaDeps,
  part: FilePart,
  limits: FileLimits,
  signal?: AbortSignal,
): Promise<FilePart> {
  const check = checkMedia(part, limits)
  if (check.type === "ok") return check.mime === part.mime ? part : withContent(part, check.mime, part.url)
  const rejected = (reason: string): FilePart => ({ ...part, rejected: { reason, time: deps.now() } })
  if (check.type === "replace") return rejected(check.reason)
  let resized: ResizedImage | undefined
  try {
    resized = await resize(deps, part, check, signal)
  } catch (error) {
    return rejected(`${check.reason}, and it could not be drawn smaller: ${messageOf(error)}`)
  }
  if (!resized) return rejected(check.reason)
  const base64 = Buffer.from(resized.content).toString("base64")
  return withContent(part, resized.mime, `data:${resized.mime};base64,${base64}`)
}

async function resize(
  { resizeImage, deadlines }: FitMediaDeps,
  { url }: FilePart,
  bounds: ImageBounds,
  signal: AbortSignal | undefined,
): Promise<ResizedImage | undefined> {
  const data = readDataURL(url)
  if (!data || !resizeImage) return undefined
  const late = () => new Error(`it took longer than ${deadlines.image / 1000} s`)
  const drawing = (async () => resizeImage(data.bytes(0, data.size), bounds))()
  return within(deadlines.image, drawing, late, signal)
}

/** Returns the part with another type and URL. Changes the type in a `data:` URL as well. */
function withContent(part: FilePart, mime: string, url: string): FilePart {
  const comma = url.indexOf(",")
  return { ...part, mime, url: url.startsWith("data:") ? `data:${mime};base64${url.slice(comma)}` : url }
}
