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

/** Milliseconds that are waited in the end for what is left: who waits for a command waits for it too. */
const PATIENCE = 1_000

/** Where spans and measurements go. */
export interface Telemetry {
  readonly tracer: Tracer
  readonly meter: Meter
  /** Delivers what is left, as far as that is possible within a second. Never rejects. */
  close(): Promise<void>
}

/** `onFailure` is told why something was not delivered, each time, and never in a server's words. */
export function openTelemetry(options: Settings, onFailure: (reason: string) => void): Telemetry {
  const { traces, metrics, interval, attributes } = options
  const agents: Agent[] = []
  const told = { "service.name": "pawl", "service.instance.id": randomUUID() }
  const resource = defaultResource()
    .merge(resourceFromAttributes(told))
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
      const timer = setTimeout(() => resolve("late"), PATIENCE)
      if ((await Promise.race([ended, late])) === "late") onFailure("no answer came in time")
      clearTimeout(timer)
      // Nothing of theirs keeps the process alive.
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

/** Its failures are told: OpenTelemetry keeps them to itself. */
function watched<T, E extends Exporter<T>>(exporter: E & Exporter<T>, onFailure: (reason: string) => void): E {
  const send = exporter.export.bind(exporter)
  exporter.export = (items, done) =>
    send(items, (result) => {
      if (result.code !== ExportResultCode.SUCCESS) onFailure(reasonOf(result.error))
      done(result)
    })
  return exporter
}

/** The words of an error that has a status are the server's. */
function reasonOf(error: (Error & { readonly code?: unknown }) | undefined): string {
  const { code, message = "" } = error ?? {}
  if (typeof code === "number") return `the answer was ${code}`
  return (typeof code === "string" ? code : message) || "it was refused"
}
