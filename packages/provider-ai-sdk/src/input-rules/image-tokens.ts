import type { ImageSize } from "@pawl/core/provider"

/** Anthropic, "Vision": width × height / 750 after scaling to 1,568 pixels, and about 1,600 tokens. */
export function anthropicImageTokens(size: ImageSize): number {
  const { width, height } = within(size, 1_568)
  return Math.min(1_600, Math.ceil((width * height) / 750))
}

/**
 * OpenAI, "Images and vision": 85, plus 170 for each tile of 512 pixels after scaling into 2,048 × 2,048 and to 768 on
 * the short side.
 */
export function openaiImageTokens(size: ImageSize): number {
  const fitted = within(size, 2_048)
  const shrink = Math.min(1, 768 / Math.min(fitted.width, fitted.height))
  return 85 + 170 * tiles(scaled(fitted, shrink), 512)
}

/** Google, "Understand and count tokens": 258 for an image up to 384 pixels, and for each tile of 768 beyond. */
export function googleImageTokens(size: ImageSize): number {
  return 258 * (Math.max(size.width, size.height) <= 384 ? 1 : tiles(size, 768))
}

/** Scales a size down so that no side is longer than `longest`. */
function within(size: ImageSize, longest: number): ImageSize {
  return scaled(size, Math.min(1, longest / Math.max(size.width, size.height)))
}

function scaled({ width, height }: ImageSize, factor: number): ImageSize {
  return { width: Math.max(1, Math.round(width * factor)), height: Math.max(1, Math.round(height * factor)) }
}

function tiles({ width, height }: ImageSize, side: number): number {
  return Math.ceil(width / side) * Math.ceil(height / side)
}
