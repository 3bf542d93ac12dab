import type { ResizeImage } from "@pawl/core"

/**
 * Draws images smaller that are too large for a provider; what it takes is loaded with the first one. Where that cannot
 * be loaded such images are left out, and `notice` is told so once.
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

/** The decoder is an optional dependency: there are systems without a build of it. */
async function loadMedia(): Promise<ResizeImage> {
  const [{ resizeImage }] = await Promise.all([import("@pawl/media"), import("sharp")])
  return resizeImage
}

function unavailable(error: unknown): string {
  const [reason = ""] = (error instanceof Error ? error.message : String(error)).trim().split("\n")
  return `images that are too large for the model are left out: sharp, which draws them smaller, cannot be loaded (${reason}). Install pawl again with its optional dependencies, or attach smaller images`
}
