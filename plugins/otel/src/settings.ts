import { z } from "@pawl/plugin"

const HTTP = "must be an address that begins with http:// or https://"

/** Everything else is configured by OpenTelemetry's own variables, `OTEL_*`. */
export const settings = z.strictObject({
  /**
   * Address of the collector; `/v1/traces` and `/v1/metrics` are appended. Default: from OTEL_*, or
   * http://localhost:4318.
   */
  endpoint: z
    .url({ protocol: /^https?$/, error: HTTP })
    .refine((url) => !/[?#]/.test(url), "must be without a query")
    .optional(),
  /** Headers of each request. */
  headers: z.record(z.string(), z.string()).default({}),
  traces: z.boolean().default(true),
  metrics: z.boolean().default(true),
  /** Seconds between two deliveries of metrics. */
  interval: z.number().min(1).max(86_400).default(60),
  /** Resource attributes, such as `{"service.name": "pawl-ci"}`. */
  attributes: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).default({}),
})

export type Settings = z.infer<typeof settings>
