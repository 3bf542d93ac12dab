import { describe, expect, it } from "vitest"
import { type BustSituation, explainBust } from "./explain-bust.ts"
import type { PrefixChange } from "./prefix.ts"

const quiet: BustSituation = {
  sessionID: "ses_1",
  change: undefined,
  mechanisms: [],
  plugins: { system: [], tools: [], messages: [] },
  sinceAnswer: 1_000,
  cacheTTL: 300_000,
}
const changed = (reason: PrefixChange["reason"], firstChangedBlock: string = reason) => {
  return { change: { reason, firstChangedBlock } }
}
const tokens = (input: number, read: number, write = 0) => {
  return { input, output: 100, reasoning: 0, cache: { read, write } }
}

describe("a request that begins like the one before it", () => {
  it("needs no explanation", () => {
    expect(explainBust(quiet)).toBeUndefined()
    expect(
      explainBust({ ...quiet, mechanisms: ["reminder"], plugins: { ...quiet.plugins, system: ["x"] } }),
    ).toBeUndefined()
  })

  const cached = { before: tokens(1_000, 19_000), now: tokens(20_500, 0) }

  it("is expired when the provider reads it all anew after its cache has ended", () => {
    expect(explainBust({ ...quiet, usage: cached, sinceAnswer: 300_001 })).toEqual({
      sessionID: "ses_1",
      reason: "expired",
      firstChangedBlock: "system[0]",
      owner: "time",
    })
  })

  it("is read anew because of another variant, where nothing else explains it", () => {
    const other = { ...quiet, usage: cached, mechanisms: ["variant"] as const }
    expect(explainBust(other)).toMatchObject({ reason: "model", owner: "variant" })
    expect(explainBust({ ...other, sinceAnswer: 300_001 })).toMatchObject({ owner: "time" })
    expect(
      explainBust({ ...other, usage: { before: tokens(1_000, 19_000), now: tokens(600, 20_000) } }),
    ).toBeUndefined()
  })

  it("was forgotten by the provider when that comes earlier", () => {
    expect(explainBust({ ...quiet, usage: cached })).toMatchObject({ reason: "expired", owner: "provider" })
  })

  it.each([
    ["was read from the cache", { before: tokens(1_000, 19_000), now: tokens(600, 20_000) }],
    ["was read from the cache but for a block", { before: tokens(1_000, 19_000), now: tokens(8_500, 12_000) }],
    ["is small", { before: tokens(100, 1_800), now: tokens(2_000, 0) }],
    ["goes to a provider that has no cache", { before: tokens(20_000, 0), now: tokens(20_500, 0) }],
    ["was not counted", { before: tokens(1_000, 19_000), now: tokens(0, 0) }],
  ])("needs none when it %s", (_name, usage) => {
    expect(explainBust({ ...quiet, usage, sinceAnswer: 300_001 })).toBeUndefined()
  })

  it("counts what was written to the cache as known", () => {
    const usage = { before: tokens(0, 0, 20_000), now: tokens(20_500, 0) }
    expect(explainBust({ ...quiet, usage })).toMatchObject({ reason: "expired" })
  })
})

describe("a request that begins otherwise", () => {
  const plugins = { system: ["clock"], tools: ["renamer"], messages: ["pruner", "redactor"] }

  it.each<[string, Partial<BustSituation>, object]>([
    ["another model", changed("model", "system[0]"), { reason: "model", owner: "model" }],
    [
      "a compaction",
      { ...changed("messages", "messages[0]"), mechanisms: ["compaction"] },
      { reason: "compaction", owner: "compaction", firstChangedBlock: "messages[0]" },
    ],
    ["clearing", { ...changed("messages"), mechanisms: ["prune"], plugins }, { reason: "prune", owner: "prune" }],
    [
      "a compaction, which clears as well",
      { ...changed("messages"), mechanisms: ["prune", "compaction"] },
      { reason: "compaction" },
    ],
    ["quarantine", { ...changed("messages"), mechanisms: ["quarantine"] }, { reason: "messages", owner: "quarantine" }],
    ["another agent", { ...changed("system"), mechanisms: ["agent"], plugins }, { reason: "system", owner: "agent" }],
    ["a plugin", { ...changed("system", "system[1]"), plugins }, { reason: "system", owner: "plugin clock" }],
    ["a plugin of tools", { ...changed("tools"), plugins }, { reason: "tools", owner: "plugin renamer" }],
    ["one of two plugins", { ...changed("messages"), plugins }, { owner: "plugin pruner, redactor" }],
    ["the last step's reminder", { ...changed("messages"), mechanisms: ["reminder"], plugins }, { owner: "reminder" }],
    ["instructions in their block", changed("system", "system[1]"), { owner: "instructions" }],
    ["another environment", { ...changed("system"), mechanisms: ["environment"] }, { owner: "environment" }],
    ["nobody known, in the system prompt", changed("system"), { owner: "system prompt" }],
    ["nobody known, in the tools", changed("tools"), { owner: "tool set" }],
    ["nobody known, in the messages", changed("messages"), { owner: "history" }],
    [
      "a system prompt that changed with a compaction, since it comes first",
      { ...changed("system"), mechanisms: ["compaction"], plugins },
      { reason: "system", owner: "plugin clock" },
    ],
    [
      "a plugin, even when the cache had ended anyway",
      { ...changed("system"), plugins, sinceAnswer: 1e9, usage: { before: tokens(0, 20_000), now: tokens(21_000, 0) } },
      { reason: "system", owner: "plugin clock" },
    ],
  ])("is explained by %s", (_name, situation, expected) => {
    expect(explainBust({ ...quiet, ...situation })).toMatchObject({ sessionID: "ses_1", ...expected })
  })
})
