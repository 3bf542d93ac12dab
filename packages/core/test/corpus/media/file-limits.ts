import type { FileLimits } from "../../../src/contracts/input-rules.ts"

const MIB = 1_048_576
const WEB_IMAGES = ["image/png", "image/jpeg", "image/webp", "image/gif"]
const SPEECH = ["audio/wav", "audio/mp3", "audio/mpeg"]

/** Takes small images and PDFs. */
export const strict: FileLimits = {
  image: { mimes: WEB_IMAGES, bytes: 5 * MIB, side: 2_000, count: 100 },
  document: { bytes: 24 * MIB },
  audio: undefined,
  video: undefined,
  requestBytes: 24 * MIB,
}

/** Takes large images and PDFs, and speech. */
export const generous: FileLimits = {
  image: { mimes: WEB_IMAGES, bytes: 20 * MIB, side: 8_000, count: 500 },
  document: { bytes: 32 * MIB },
  audio: { mimes: SPEECH, bytes: 20 * MIB },
  video: undefined,
  requestBytes: 40 * MIB,
}

/** Takes files of all kinds up to 15 MiB, but no GIF. */
export const broad: FileLimits = {
  image: { mimes: ["image/png", "image/jpeg", "image/webp"], bytes: 7 * MIB, side: 8_000, count: 3_000 },
  document: { bytes: 15 * MIB },
  audio: { mimes: SPEECH, bytes: 15 * MIB },
  video: { mimes: ["video/mp4"], bytes: 15 * MIB },
  requestBytes: 15 * MIB,
}
