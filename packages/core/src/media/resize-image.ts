/** What an image has to fit into. */
export interface ImageBounds {
  /** Pixels. Its proportions are kept, and it is never enlarged. */
  readonly width: number
  readonly height: number
  /** Of its base64 text. */
  readonly bytes: number
  /** The types that it may become. */
  readonly mimes: readonly string[]
}

export interface ResizedImage {
  readonly mime: string
  readonly content: Uint8Array
}

/**
 * Draws an image anew within bounds, in its own type if that is among them. Undefined where it cannot be read or does
 * not get small enough; never rejects.
 */
export type ResizeImage = (content: Uint8Array, bounds: ImageBounds) => Promise<ResizedImage | undefined>
