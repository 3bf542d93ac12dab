import { z } from "@pawl/plugin"

const HTTP = "must be an address that begins with http:// or https://"

/** What has no option here is read from OpenTelemetry's own variables, `OTEL_*`. */
export const settings = z.strictObject({
  /** The collector's address, to which `/v1/traces` and `/v1/metrics` are added. Absent: as OTEL_* say, else http://localhost:4318. */
  endpoint: z
    .url({ protocol: /^https?$/, error: HTTP })
    .refine((url) => !/[?#]/.test(url), "must be without a query")
    .optional(),
  /** Of each request to it. */
  headers: z.record(z.string(), z.string()).default({}),
  traces: z.boolean().default(true),
  metrics: z.boolean().default(true),
  /** Seconds between two deliveries of metrics. */
  interval: z.number().min(1).max(86_400).default(60),
  /** What else is said of where it comes from, such as `{"service.name": "pawl-ci"}`. */
  attributes: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).default({}),
})

export type Settings = z.infer<typeof settings>
