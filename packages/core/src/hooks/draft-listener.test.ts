import { describe, expect, it } from "vitest"
import { createDraftTrace } from "./draft-trace.ts"
import { defaultDeadlines } from "../base/deadlines.ts"
import { loadHooks } from "../../test/load-hooks.ts"
import type { Hooks } from "./hooks.ts"
import type { PluginHooks } from "./plugin.ts"

const about = {
  sessionID: "ses_1",
  rootSessionID: "ses_1",
  agent: "build",
  model: { providerID: "acme", modelID: "small" },
} as const

function load(plugins: Record<string, PluginHooks>): Promise<Hooks> {
  const entries = Object.entries(plugins).map(([id, hooks]) => ({ id, plugin: () => hooks }))
  return loadHooks(entries, defaultDeadlines, { failed: () => undefined, disabled: () => undefined })
}

const system = (change: (blocks: string[]) => void): PluginHooks => ({
  "chat.system.transform": (_input, output) => change(output.system),
})

describe("who listens to a draft", () => {
  it("learns which plugins changed it, in their order", async () => {
    const hooks = await load({
      clock: system((blocks) => void blocks.push("It is 12:00.")),
      reader: system(() => undefined),
      failing: system((blocks) => {
        blocks.push("Never read.")
        throw new Error("broken")
      }),
      editor: system((blocks) => void (blocks[0] = "Be brief.")),
    })
    const trace = createDraftTrace()

    const draft = { system: ["Be helpful."] }
    const output = await hooks.transform("chat.system.transform", about, draft, undefined, trace)

    expect(output).toEqual({ system: ["Be brief.", "It is 12:00."] })
    expect(trace.changedBy()).toEqual(["clock", "editor"])
  })

  it("learns of none where no plugin takes part", async () => {
    const hooks = await load({ bystander: {} })
    const trace = createDraftTrace()
    await hooks.transform("chat.system.transform", about, { system: ["a"] }, undefined, trace)
    expect(trace.changedBy()).toEqual([])
  })

  it("is not told of a change where a value only comes back with its fields in another order, or without empty ones", () => {
    const trace = createDraftTrace()
    trace.onDraft("sorter", { messages: [{ a: 1, b: [2], c: undefined }] }, { messages: [{ b: [2], a: 1 }] })
    trace.onDraft("cutter", { messages: [1, 2] }, { messages: [1] })
    trace.onDraft("wrapper", { messages: [1] }, { messages: { 0: 1 } })
    expect(trace.changedBy()).toEqual(["cutter", "wrapper"])
  })
})
