/** Limits of a resized image. */
export interface ImageBounds {
  /** Maximum pixels. The image keeps its proportions, and is never enlarged. */
  readonly width: number
  readonly height: number
  /** Maximum bytes of the base64 text. */
  readonly bytes: number
  /** Accepted types. */
  readonly mimes: readonly string[]
}

export interface ResizedImage {
  readonly mime: string
  readonly content: Uint8Array
}

/**
 * Resizes an image to the bounds, and keeps its type if that is accepted. Resolves with undefined if the image cannot
 * be read or does not get small enough. Never rejects.
 */
export type ResizeImage = (content: Uint8Array, bounds: ImageBounds) => Promise<ResizedImage | undefined>
