import { ProviderError } from "@pawl/core/provider"
import { expect, it } from "vitest"
import { nearIDs } from "./near-ids.ts"
import { isUnknownModel, withNearModels } from "./unknown-model.ts"

const ids = ["claude-opus-5", "claude-sonnet-5-5", "claude-haiku-5-5", "gpt-5", "qwen3-coder:30b"]

it.each([
  ["claude-sonet-5-5", "claude-sonnet-5-5"],
  ["Claude_Sonnet_5.5", "claude-sonnet-5-5"],
  ["qwen3-coder", "qwen3-coder:30b"],
  ["gpt5", "gpt-5"],
])("takes %s for %s", (wanted, meant) => {
  expect(nearIDs(wanted, ids)[0]).toBe(meant)
})

it("takes what is like nothing for nothing", () => {
  expect(nearIDs("llama-4-maverick", ids)).toEqual([])
})

const failure = (responseBody: string, statusCode?: number) =>
  new ProviderError("invalid-request", "The server rejected the request.", { statusCode, responseBody })

it.each<[boolean, ProviderError]>([
  [true, failure('{"error":{"message":"model \\"x\\" not found, try pulling it first"}}', 404)],
  [true, failure('{"type":"error","error":{"type":"not_found_error","message":"model: claude-x"}}', 404)],
  [true, failure('{"error":{"code":"model_not_found","message":"The model `x` does not exist"}}', 400)],
  [false, failure("404 page not found", 404)],
  [false, failure('{"error":{"message":"this model takes no tools"}}', 400)],
  [false, new ProviderError("transient", "no such model", { statusCode: 404, responseBody: "no such model" })],
])("is %s of an unknown model", (expected, error) => {
  expect(isUnknownModel(error)).toBe(expected)
})

it("names few models where none is near, and many not", () => {
  const error = failure("no such model", 404)

  expect(withNearModels(error, "phi", ["llama3"]).message).toBe("The server rejected the request. It has: llama3.")
  expect(
    withNearModels(
      error,
      "phi",
      Array.from({ length: 20 }, (_, at) => `llama${at}`),
    ),
  ).toBe(error)
  expect(withNearModels(error, "llama3", ["llama3"])).toBe(error)
})
