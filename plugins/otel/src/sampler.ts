import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
} from "@opentelemetry/sdk-trace"

/**
 * Builds the sampler from OTEL_TRACES_SAMPLER and OTEL_TRACES_SAMPLER_ARG, which the SDK does not read. Default, also
 * for an unknown name: all traces, unless the parent's trace is not sampled.
 */
export function samplerOf(environment: Readonly<Record<string, string | undefined>>): Sampler {
  const { OTEL_TRACES_SAMPLER: name = "", OTEL_TRACES_SAMPLER_ARG: share = "" } = environment
  const [, parent, kind] = /^(parentbased_)?(always_on|always_off|traceidratio)$/.exec(name.trim()) ?? []
  const root = kind === "always_off" ? new AlwaysOffSampler() : kind === "traceidratio" ? byShare(share) : everything()
  return kind === undefined || parent !== undefined ? new ParentBasedSampler({ root }) : root
}

function everything(): Sampler {
  return new AlwaysOnSampler()
}

function byShare(written: string): Sampler {
  const share = written.trim() === "" ? NaN : Number(written)
  return share >= 0 && share <= 1 ? new TraceIdRatioBasedSampler(share) : everything()
}
