import type { LanguageModelV4Usage } from "@ai-sdk/provider"
import { expect, it } from "vitest"
import { toTokens } from "./usage.ts"

type Counts = readonly (number | undefined)[]

function usage([total, noCache, cacheRead, cacheWrite]: Counts, [all, text, reasoning]: Counts): LanguageModelV4Usage {
  return {
    inputTokens: { total, noCache, cacheRead, cacheWrite },
    outputTokens: { total: all, text, reasoning },
  }
}

it.each<[string, LanguageModelV4Usage, [number, number, number, number, number]]>([
  ["everything is told", usage([100, 60, 30, 10], [50, 40, 10]), [60, 40, 10, 30, 10]],
  ["only totals are told", usage([100], [50]), [100, 50, 0, 0, 0]],
  ["the cache is told beside the total", usage([100, undefined, 30, 10], [50]), [60, 50, 0, 30, 10]],
  ["reasoning is told beside the total", usage([100], [50, undefined, 20]), [100, 30, 20, 0, 0]],
  ["nothing is told", usage([], []), [0, 0, 0, 0, 0]],
  ["more was cached than there was", usage([100, -20, 120], [50]), [0, 50, 0, 120, 0]],
  ["there was more reasoning than output", usage([100], [50, undefined, 80]), [100, 0, 80, 0, 0]],
  ["counts are out of all proportion", usage([1e308, undefined, 1e308], [1e308]), [0, 1e12, 0, 1e12, 0]],
  ["a count is no number", usage([Number.NaN, Number.NaN, Number.NaN], [Number.NaN]), [0, 0, 0, 0, 0]],
])("counts tokens without overlap when %s", (_name, told, [input, output, reasoning, read, write]) => {
  expect(toTokens(told)).toEqual({ input, output, reasoning, cache: { read, write } })
})
