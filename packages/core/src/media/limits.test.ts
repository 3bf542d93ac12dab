import { expect, it } from "vitest"
import { strict } from "../../test/corpus/media/file-limits.ts"
import type { ModelInfo } from "../contracts/model.ts"
import { defaultInputRules } from "../measure/default-input-rules.ts"
import { limitsFor } from "./limits.ts"

const info = (media: NonNullable<ModelInfo["media"]>): ModelInfo => ({
  ...{ id: "m", name: "M", limit: { context: 0, output: 0 } },
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  capabilities: { reasoning: false, attachment: true, toolCall: true },
  media,
})
const inputRules = { ...defaultInputRules, fileLimits: strict }

it("lets the catalogue lower the limits of the model's rules, not raise them", () => {
  const { image } = limitsFor({ inputRules, info: info({ imageSide: 4_000, imagesPerRequest: 3 }) })
  expect(image).toEqual({ ...strict.image, side: 2_000, count: 3 })
})

it("lets the catalogue decide about a model without rules", () => {
  const { image } = limitsFor({ info: info({ imageSide: 4_000, imagesPerRequest: 3 }) })
  expect(image).toEqual({ ...defaultInputRules.fileLimits.image, side: 4_000, count: 3 })
})

it("compares the catalogue's bytes as they travel, in base64", () => {
  const limits = limitsFor({ inputRules, info: info({ imageBytes: 300, requestBytes: 3_000 }) })
  expect([limits.image.bytes, limits.requestBytes]).toEqual([400, 4_000])
})
