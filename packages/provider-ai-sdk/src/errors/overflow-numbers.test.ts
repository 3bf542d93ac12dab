import { describe, expect, it } from "vitest"
import { errorCorpus } from "../../test/error-corpus.ts"
import { classifyResponse } from "./classify-response.ts"
import { overflowNumbers } from "./overflow-numbers.ts"

describe("overflowNumbers", () => {
  it.each<[string, number | undefined, number | undefined]>([
    ["maximum context length is 32768 tokens, however you requested 40000", 32_768, 40_000],
    [
      "This model's maximum context length is 32768 tokens. However, you requested 40000 tokens (36000 in the messages, 4000 in the completion).",
      ...([32_768, 40_000] as const),
    ],
    [
      "This model's maximum context length is 128,000 tokens. However, your messages resulted in 200,001 tokens.",
      128_000,
      200_001,
    ],
    ["prompt is too long: 213462 tokens > 200000 maximum", 200_000, 213_462],
    [
      "input length and `max_tokens` exceed context limit: 190000 + 32000 > 200000, decrease input length",
      200_000,
      222_000,
    ],
    ["The input token count (1200001) exceeds the maximum number of tokens allowed (1048576).", 1_048_576, 1_200_001],
    ["Request too large on tokens per minute (TPM): Limit 6000, Requested 9000", 6000, 9000],
    ["This model's maximum prompt length is 131072 but the request contains 537812 tokens.", 131_072, 537_812],
    [
      "Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length",
      ...([32_768, 40_000] as const),
    ],
    ["the model is loaded with context length of only 4096 tokens, which is not enough", 4096, undefined],
    ["The decoder prompt (length 9000) is longer than the maximum model length of 4096.", 4096, 9000],
    ["The input (9000 tokens) is longer than the model's context length (8192 tokens).", 8192, 9000],
    [
      "`inputs` tokens + `max_new_tokens` must be <= 4096. Given: 4000 `inputs` tokens and 500 `max_new_tokens`",
      ...([4096, 4500] as const),
    ],
    ["Your request exceeded model token limit: 262144", 262_144, undefined],
    ["prompt token count of 140000 exceeds the limit of 128000", 128_000, 140_000],
    ["total number of tokens in the prompt cannot exceed 4081 - received 5000.", 4081, 5000],
    ["request (9001 tokens) exceeds the available context size (8192 tokens), try increasing it", 8192, 9001],
  ])("reads %j", (message, limit, requested) => {
    expect(overflowNumbers(message)).toEqual({
      ...{ limit, ...(requested === undefined ? {} : { requested }) },
    })
  })

  it.each([
    "",
    "Input is too long for requested model.",
    "prompt too long; exceeded max context length by 20 tokens",
    "maximum context length is 0 tokens",
    "maximum context length is 99999999999999999999999 tokens",
    "invalid params, context window exceeds limit (2013)",
    `The request is too long: ${"x".repeat(5000)} maximum context length is 4096`,
  ])("finds none in %#", (message) => {
    expect(overflowNumbers(message)).toEqual({})
  })

  it("drops a request that would have fitted", () => {
    expect(overflowNumbers("maximum context length is 4096 tokens, however you requested 10")).toEqual({ limit: 4096 })
  })
})

it("puts the numbers of an overflow into the error's details, and of nothing else", () => {
  const message = "maximum context length is 32768 tokens, however you requested 40000 tokens"
  const overflow = classifyResponse({ status: 400, body: JSON.stringify({ error: { message } }) })
  expect(overflow).toMatchObject({ kind: "overflow", details: { limit: 32_768, requested: 40_000 } })
  const fields = { message: "the request exceeds the available context size", n_prompt_tokens: 9001, n_ctx: 8192 }
  const named = classifyResponse({ status: 400, body: JSON.stringify({ error: fields }) })
  expect(named.details).toMatchObject({ limit: 8192, requested: 9001 })
  const limited = classifyResponse({
    status: 429,
    body: JSON.stringify({ error: { message: "Limit 6000, Used 5999" } }),
  })
  expect(limited.details).not.toHaveProperty("limit")
})

it("names the limit of most overflows in the corpus", () => {
  const overflows = errorCorpus.filter(({ kind }) => kind === "overflow")
  const named = overflows.filter(({ status, body }) => {
    const text = typeof body === "string" ? body : JSON.stringify(body)
    return classifyResponse({ status, body: text }).details.limit !== undefined
  })
  expect(named.length / overflows.length).toBeGreaterThan(0.6)
})
