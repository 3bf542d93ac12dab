import { expect, it } from "vitest"
import { settingsFor } from "./compaction-settings.ts"

const opus = { providerID: "anthropic", modelID: "claude-opus-4-1" }

it("takes of each setting what the last matching glob says, else the general one", () => {
  const settings = {
    ...{ auto: false, reserved: 10_000, soft: 0.5 },
    models: {
      "*": { reserved: 11_000, tail_turns: 4 },
      "anthropic/*": { reserved: 12_000, tail_turns: undefined },
      "*/claude-opus-?-1": { soft: 0.6 },
      "openai/*": { reserved: 13_000, auto: true },
    },
  }
  expect(settingsFor(settings, opus)).toEqual({ auto: false, reserved: 12_000, soft: 0.6, tail_turns: 4 })
})

it("is empty where nothing is set", () => {
  expect(settingsFor({}, opus)).toEqual({})
})
