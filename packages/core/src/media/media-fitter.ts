import { fitMedia } from "./fit-media.ts"
import { limitsFor } from "./limits.ts"
import type { ResizeImage } from "./resize-image.ts"
import type { Model } from "../contracts/model.ts"
import { type FilePart, isMedia } from "../record/message.ts"

export interface MediaFitterDeps {
  /** Without it, images that are too large for the provider are left out. */
  readonly resizeImage: ResizeImage | undefined
  readonly now: () => number
  readonly deadlines: { readonly image: number }
}

/** Gives files as they may enter the history of a conversation with this model. `signal` ends the drawing of images. */
export function mediaFitter(
  deps: MediaFitterDeps,
  model: Pick<Model, "ref" | "info">,
  signal: AbortSignal,
): (file: FilePart) => Promise<FilePart> {
  return async (file) => (isMedia(file) ? fitMedia(deps, file, limitsFor(model), signal) : file)
}
