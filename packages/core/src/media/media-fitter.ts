import { fitMedia } from "./fit-media.ts"
import { limitsFor } from "./limits.ts"
import type { ResizeImage } from "./resize-image.ts"
import type { Model } from "../contracts/model.ts"
import { type FilePart, isMedia } from "../record/message.ts"

export interface MediaFitterDeps {
  /** Resizes images. If undefined, images that are too large for the provider are left out. */
  readonly resizeImage: ResizeImage | undefined
  readonly now: () => number
  readonly deadlines: { readonly image: number }
}

/** Returns a function that fits files to this model, for the history. `signal` ends the resizing of images. */
export function mediaFitter(
  deps: MediaFitterDeps,
  model: Pick<Model, "ref" | "info">,
  signal: AbortSignal,
): (file: FilePart) => Promise<FilePart> {
  return async (file) => (isMedia(file) ? fitMedia(deps, file, limitsFor(model), signal) : file)
}
