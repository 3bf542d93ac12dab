import { expect, it } from "vitest"
import { samplerOf } from "./sampler.ts"

it.each([
  ["", undefined, "ParentBased{root=AlwaysOnSampler"],
  ["always_on", undefined, "AlwaysOnSampler"],
  ["always_off", undefined, "AlwaysOffSampler"],
  ["traceidratio", "0.25", "TraceIdRatioBased{0.25}"],
  ["traceidratio", undefined, "AlwaysOnSampler"],
  ["traceidratio", "2", "AlwaysOnSampler"],
  ["parentbased_always_off", undefined, "ParentBased{root=AlwaysOffSampler"],
  ["parentbased_traceidratio", "0", "ParentBased{root=TraceIdRatioBased{0}"],
  ["jaeger_remote", undefined, "ParentBased{root=AlwaysOnSampler"],
])("OTEL_TRACES_SAMPLER=%s with %s samples as it says", (name, share, expected) => {
  const sampler = samplerOf({ OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: share })
  expect(sampler.toString().startsWith(expected)).toBe(true)
})
