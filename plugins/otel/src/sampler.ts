import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
} from "@opentelemetry/sdk-trace"

/**
 * Which traces are sent, by OTEL_TRACES_SAMPLER and OTEL_TRACES_SAMPLER_ARG, which the SDK does not read. A name that
 * OpenTelemetry does not know means what none does: all, unless what started pawl says otherwise.
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
