import { type ModelRequest, ProviderError } from "@pawl/core/provider"
import { scriptedModel } from "@pawl/provider-replay"
import { expect, it } from "vitest"
import { withVendors } from "./with-vendors.ts"

it("finds the refused files of an error that was recorded from an adapter", async () => {
  const model = scriptedModel([])
  const provider = withVendors({ id: "a", name: "A", models: async () => [], model: async () => model })
  const file = { type: "file", mime: "image/png", url: "data:image/png;base64,AAAA" } as const
  const messages: ModelRequest["messages"] = [{ role: "user", content: [file] }]
  const request = { sessionID: "ses_1", system: [], messages, tools: [], settings: {}, headers: {} }
  const error = new ProviderError("invalid-request", "Could not process image")

  const found = await (await provider.model("m")).findRejectedFiles?.(error, request)

  expect(found?.files).toEqual([file])
})

it("has the prompt of the vendor for the recorded model", async () => {
  const model = { ...scriptedModel([]), ref: { providerID: "acme", modelID: "claude-large" } }
  const provider = withVendors({ id: "a", name: "A", models: async () => [], model: async () => model })

  expect((await provider.model("m")).systemPrompt).toContain("Create no file that the task does not need")
})

it("has the rules of the vendor for the input of the recorded model", async () => {
  const model = { ...scriptedModel([]), ref: { providerID: "acme", modelID: "claude-large" } }
  const provider = withVendors({ id: "a", name: "A", models: async () => [], model: async () => model })

  expect((await provider.model("m")).inputRules).toMatchObject({ bytesPerToken: 3.5, fileLimits: { audio: undefined } })
})
