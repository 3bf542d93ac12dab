import type { ResizeImage } from "@pawl/core/host"

/**
 * Resizes images that are too large for a provider. The first one loads the decoder. If the decoder cannot be loaded, such
 * images are left out, and `notice` is called once.
 */
export function imageResizer(
  notice: (text: string) => void,
  load: () => Promise<ResizeImage> = loadMedia,
): ResizeImage {
  let loading: Promise<ResizeImage> | undefined
  return async (content, bounds) => {
    loading ??= load().catch((error: unknown): ResizeImage => {
      notice(unavailable(error))
      return async () => undefined
    })
    const resize = await loading
    return resize(content, bounds)
  }
}

/** Loads the decoder, an optional dependency that has no build for some systems. */
async function loadMedia(): Promise<ResizeImage> {
  const [{ resizeImage }] = await Promise.all([import("@pawl/media"), import("sharp")])
  return resizeImage
}

function unavailable(error: unknown): string {
  const [reason = ""] = (error instanceof Error ? error.message : String(error)).trim().split("\n")
  return `images that are too large for the model are left out: sharp, which draws them smaller, cannot be loaded (${reason}). Install pawl again with its optional dependencies, or attach smaller images`
}
