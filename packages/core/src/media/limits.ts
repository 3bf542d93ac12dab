import type { FileLimits } from "../contracts/input-rules.ts"
import type { Model } from "../contracts/model.ts"
import { defaultInputRules } from "../measure/default-input-rules.ts"

/**
 * Returns the limits of files for a model. Its catalogue lowers the limits of its rules; without rules, the catalogue
 * decides.
 */
export function limitsFor({ inputRules, info: { media } }: Pick<Model, "inputRules" | "info">): FileLimits {
  const { fileLimits } = inputRules ?? defaultInputRules
  if (!media) return fileLimits
  const least = (own: number, listed: number | undefined) => {
    if (listed === undefined) return own
    return inputRules ? Math.min(own, listed) : listed
  }
  return {
    ...fileLimits,
    image: {
      ...fileLimits.image,
      bytes: least(fileLimits.image.bytes, encoded(media.imageBytes)),
      side: least(fileLimits.image.side, media.imageSide),
      count: least(fileLimits.image.count, media.imagesPerRequest),
    },
    requestBytes: least(fileLimits.requestBytes, encoded(media.requestBytes)),
  }
}

function encoded(bytes: number | undefined): number | undefined {
  return bytes === undefined ? undefined : Math.ceil(bytes / 3) * 4
}
