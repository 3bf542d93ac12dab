import type { FilePart } from "../../session/message.ts"
import { readDataURL } from "../tokens/data-url.ts"
import type { ProviderFamily } from "../tokens/provider-family.ts"
import { checkMedia, encodedBytes, type MediaBefore } from "./check-media.ts"
import type { ResizeImage } from "./resize-image.ts"

export interface FitMediaDeps {
  /** Without it, images that are too large are left out. */
  readonly resizeImage?: ResizeImage | undefined
  /** Epoch milliseconds. */
  readonly now: () => number
}

/**
 * The file as it may enter the history: itself, called what it is, drawn smaller, or `rejected` with the reason, which
 * the model reads in its place. Its content stays with it when it is rejected. Never rejects.
 */
export async function fitMedia(
  { resizeImage, now }: FitMediaDeps,
  part: FilePart,
  family: ProviderFamily,
  before: MediaBefore,
): Promise<FilePart> {
  const check = checkMedia(part, family, before)
  if (check.type === "ok") return check.mime === part.mime ? part : withContent(part, check.mime, part.url)
  if (check.type === "replace") return { ...part, rejected: { reason: check.reason, time: now() } }
  const data = readDataURL(part.url)
  const resized = data && (await resizeImage?.(data.bytes(0, data.size), check))
  if (!resized) return { ...part, rejected: { reason: check.reason, time: now() } }
  const base64 = Buffer.from(resized.content).toString("base64")
  return withContent(part, resized.mime, `data:${resized.mime};base64,${base64}`)
}

/** A `data:` URL names the type as well. */
function withContent(part: FilePart, mime: string, url: string): FilePart {
  const comma = url.indexOf(",")
  return { ...part, mime, url: url.startsWith("data:") ? `data:${mime};base64${url.slice(comma)}` : url }
}

/** What these files add to a request. */
export function mediaBefore(files: readonly Pick<FilePart, "mime" | "url" | "rejected">[]): MediaBefore {
  const sent = files.filter(({ rejected }) => !rejected)
  const sizes = sent.map(({ url }) => readDataURL(url)).map((data) => (data ? encodedBytes(data) : 0))
  return {
    images: sent.filter(({ mime }) => mime.startsWith("image/")).length,
    bytes: sizes.reduce((sum, bytes) => sum + bytes, 0),
  }
}
