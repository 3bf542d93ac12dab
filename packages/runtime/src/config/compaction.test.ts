import { describe, expect, it } from "vitest"
import { compactionSettings } from "./compaction.ts"

describe("what is done about full windows", () => {
  it("is what the configuration says", () => {
    const configured = { soft: 0.5, models: { "openai/*": { prune: false } } }
    expect(compactionSettings(configured)).toEqual(configured)
    expect(compactionSettings()).toEqual({ models: {} })
  })

  it.each([
    ["PAWL_DISABLE_AUTOCOMPACT", "auto"],
    ["OPENCODE_DISABLE_AUTOCOMPACT", "auto"],
    ["PAWL_DISABLE_PRUNE", "prune"],
    ["OPENCODE_DISABLE_PRUNE", "prune"],
  ])("is less where %s is set, whatever files say of any model", (variable, key) => {
    const models = { "a/*": { [key]: true, soft: 0.5 }, "*": { reserved: 1 } }

    const settings = compactionSettings({ [key]: true, models }, { [variable]: "1" })

    expect(settings).toEqual({
      ...{ [key]: false },
      models: { "a/*": { [key]: false, soft: 0.5 }, "*": { [key]: false, reserved: 1 } },
    })
    expect(Object.keys(settings.models ?? {})).toEqual(["a/*", "*"])
  })

  it("is not changed by a variable that says no", () => {
    expect(compactionSettings({ auto: true }, { PAWL_DISABLE_AUTOCOMPACT: "0", PAWL_DISABLE_PRUNE: "" })).toEqual({
      ...{ auto: true, models: {} },
    })
  })
})
