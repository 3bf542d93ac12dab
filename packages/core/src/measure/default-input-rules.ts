import type { InputRules } from "../contracts/input-rules.ts"

const MIB = 1_048_576

/**
 * Rules of a model without rules of its own. Text: four bytes for a token, as English has with most tokenizers. Images:
 * by area, 750 pixels for a token, as most providers count, up to four large tiles. Pages and recordings: the highest
 * counts that providers document. Limits: those that most providers accept.
 */
export const defaultInputRules: InputRules = {
  bytesPerToken: 4,
  fileTokens: {
    image: ({ width, height }) => Math.min(6_400, Math.ceil((width * height) / 750)),
    anyImage: 1_600,
    page: 3_000,
    second: 32,
  },
  fileLimits: {
    image: { mimes: ["image/png", "image/jpeg", "image/webp", "image/gif"], bytes: 5 * MIB, side: 2_000, count: 20 },
    document: { bytes: 15 * MIB },
    audio: { mimes: ["audio/wav", "audio/mp3", "audio/mpeg"], bytes: 15 * MIB },
    video: undefined,
    requestBytes: 20 * MIB,
  },
}
