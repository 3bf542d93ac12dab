import { type ModelRequest, ProviderError } from "@pawl/core"
import { scriptedModel } from "@pawl/provider-replay"
import { expect, it } from "vitest"
import { withRejections } from "./with-rejections.ts"

it("finds the refused files of an error that was recorded from an adapter", async () => {
  const model = scriptedModel([])
  const provider = withRejections({ id: "a", name: "A", models: async () => [], model: async () => model })
  const file = { type: "file", mime: "image/png", url: "data:image/png;base64,AAAA" } as const
  const messages: ModelRequest["messages"] = [{ role: "user", content: [file] }]
  const request = { sessionID: "ses_1", system: [], messages, tools: [], settings: {}, headers: {} }
  const error = new ProviderError("invalid-request", "Could not process image")

  const found = await (await provider.model("m")).findRejectedFiles?.(error, request)

  expect(found?.files).toEqual([file])
})
