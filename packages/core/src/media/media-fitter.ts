import { fitMedia } from "./fit-media.ts"
import { limitsFor } from "./limits.ts"
import type { ResizeImage } from "./resize-image.ts"
import type { Model } from "../contracts/model.ts"
import { type FilePart, isMedia } from "../record/message.ts"

export interface MediaFitterDeps {
  readonly store: { readonly now: () => number; readonly deadlines: { readonly image: number } }
  /** If there is no function, images that are too large for the provider are left out. */
  readonly requests: { readonly resizeImage: ResizeImage | undefined }
}

/** Returns a function that fits files to this model, for the history. `signal` ends the resizing of images. */
export function mediaFitter(
  { store: { now, deadlines }, requests: { resizeImage } }: MediaFitterDeps,
  model: Pick<Model, "info" | "inputRules">,
  signal: AbortSignal,
): (file: FilePart) => Promise<FilePart> {
  return async (file) =>
    isMedia(file) ? fitMedia({ resizeImage, now, deadlines }, file, limitsFor(model), signal) : file
}
