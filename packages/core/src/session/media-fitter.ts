import { fitMedia, mediaBefore } from "../context/media/fit-media.ts"
import type { ResizeImage } from "../context/media/resize-image.ts"
import { providerFamily } from "../context/tokens/provider-family.ts"
import type { FilePart, MessageWithParts, ModelRef } from "./message.ts"
import { isMedia } from "./model-messages.ts"

export interface MediaFitterDeps {
  /** Without it, images that are too large for the provider are left out. */
  readonly resizeImage: ResizeImage | undefined
  readonly now: () => number
  readonly deadlines: { readonly image: number }
}

/** Gives files as they may enter the history of this conversation. Most conversations have none. `signal` ends the drawing of images. */
export function mediaFitter(
  deps: MediaFitterDeps,
  model: ModelRef,
  messages: readonly Pick<MessageWithParts, "parts">[],
  signal: AbortSignal,
): (file: FilePart) => Promise<FilePart> {
  return async (file) => {
    if (!isMedia(file)) return file
    return fitMedia(deps, file, providerFamily(model), mediaBefore(filesIn(messages)), signal)
  }
}

function filesIn(messages: readonly Pick<MessageWithParts, "parts">[]): FilePart[] {
  return messages.flatMap(({ parts }) => {
    return parts.flatMap((part) => {
      if (part.type === "file") return isMedia(part) ? [part] : []
      return part.type === "tool" && part.state.status === "completed" ? (part.state.attachments ?? []) : []
    })
  })
}
