import { randomUUID } from "node:crypto"
import type { Agent } from "node:http"
import type { Meter, Tracer } from "@opentelemetry/api"
import { type ExportResult, ExportResultCode } from "@opentelemetry/core"
import { OTLPMetricExporter } from "@opentelemetry/exporter-metrics-otlp-http"
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http"
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from "@opentelemetry/resources"
import { MeterProvider, PeriodicExportingMetricReader } from "@opentelemetry/sdk-metrics"
import { BatchSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace"
import { samplerOf } from "./sampler.ts"
import type { Settings } from "./settings.ts"

/** Milliseconds to wait for the last delivery. The user's command waits for it too. */
const CLOSE_TIMEOUT_MS = 1_000

/** Receives spans and measurements. */
export interface Telemetry {
  readonly tracer: Tracer
  readonly meter: Meter
  /** Delivers the rest within a second if possible. Never rejects. */
  close(): Promise<void>
}

/** `onFailure` is called with the reason of each failed delivery, never with a server's text. */
export function openTelemetry(options: Settings, onFailure: (reason: string) => void): Telemetry {
  const { traces, metrics, interval, attributes } = options
  const agents: Agent[] = []
  const pawlAttributes = { "service.name": "pawl", "service.instance.id": randomUUID() }
  const resource = defaultResource()
    .merge(resourceFromAttributes(pawlAttributes))
    .merge(detectResources({ detectors: [envDetector] }))
    .merge(resourceFromAttributes(attributes))
  const reader = () => {
    const exporter = watched(new OTLPMetricExporter(target(options, "metrics", agents)), onFailure)
    const period = interval * 1000
    return new PeriodicExportingMetricReader({
      ...{ exporter, exportIntervalMillis: period, exportTimeoutMillis: Math.min(30_000, period) },
    })
  }
  const processor = () => {
    const exporter = watched(new OTLPTraceExporter(target(options, "traces", agents)), onFailure)
    return new BatchSpanProcessor({ exporter })
  }
  const sampler = samplerOf(process.env)
  const spans = new TracerProvider({ resource, sampler, spanProcessors: traces ? [processor()] : [] })
  const measurements = new MeterProvider({ resource, readers: metrics ? [reader()] : [] })
  return {
    tracer: spans.getTracer("pawl"),
    meter: measurements.getMeter("pawl"),
    async close() {
      const ended = Promise.allSettled([spans.shutdown(), measurements.shutdown()])
      const { promise: late, resolve } = Promise.withResolvers<"late">()
      const timer = setTimeout(() => resolve("late"), CLOSE_TIMEOUT_MS)
      if ((await Promise.race([ended, late])) === "late") onFailure("no answer came in time")
      clearTimeout(timer)
      // Kept connections would keep the process alive.
      for (const agent of agents) agent.destroy()
    },
  }
}

function target({ endpoint, headers }: Settings, signal: "traces" | "metrics", agents: Agent[]) {
  const url = endpoint === undefined ? {} : { url: `${endpoint.replace(/\/+$/, "")}/v1/${signal}` }
  const httpAgentOptions = async (protocol: string) => {
    const http = protocol === "https:" ? await import("node:https") : await import("node:http")
    const agent = new http.Agent({ keepAlive: true })
    agents.push(agent)
    return agent
  }
  return { ...url, headers, httpAgentOptions }
}

interface Exporter<T> {
  export(items: T, done: (result: ExportResult) => void): void
}

/** Reports failures, which OpenTelemetry hides. */
function watched<T, E extends Exporter<T>>(exporter: E & Exporter<T>, onFailure: (reason: string) => void): E {
  const send = exporter.export.bind(exporter)
  exporter.export = (items, done) =>
    send(items, (result) => {
      if (result.code !== ExportResultCode.SUCCESS) onFailure(reasonOf(result.error))
      done(result)
    })
  return exporter
}

/** The message of an error with a status is the server's text. */
function reasonOf(error: (Error & { readonly code?: unknown }) | undefined): string {
  const { code, message = "" } = error ?? {}
  if (typeof code === "number") return `the answer was ${code}`
  return (typeof code === "string" ? code : message) || "it was refused"
}
