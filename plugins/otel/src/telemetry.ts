import { randomUUID } from "node:crypto"
import type { Meter, Tracer } from "@opentelemetry/api"
import { type ExportResult, ExportResultCode } from "@opentelemetry/core"
import { OTLPMetricExporter } from "@opentelemetry/exporter-metrics-otlp-http"
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http"
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from "@opentelemetry/resources"
import { MeterProvider, PeriodicExportingMetricReader } from "@opentelemetry/sdk-metrics"
import { BatchSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace"
import type { Settings } from "./settings.ts"

/** Milliseconds that one delivery may take, and all that is left in the end: who waits for a command waits for it too. */
const DEADLINE = 1_500

/** Where spans and measurements go. */
export interface Telemetry {
  readonly tracer: Tracer
  readonly meter: Meter
  /** Delivers what is left, as far as that is possible within a second and a half. Never rejects. */
  close(): Promise<void>
}

/** `onFailure` is told why something was not delivered, each time. */
export function openTelemetry(options: Settings, onFailure: (reason: string) => void): Telemetry {
  const { traces, metrics, interval, attributes } = options
  const told = { "service.name": "pawl", "service.instance.id": randomUUID() }
  const resource = defaultResource()
    .merge(resourceFromAttributes(told))
    .merge(detectResources({ detectors: [envDetector] }))
    .merge(resourceFromAttributes(attributes))
  const reader = () => {
    const exporter = watched(new OTLPMetricExporter(target(options, "metrics")), onFailure)
    return new PeriodicExportingMetricReader({
      ...{ exporter, exportIntervalMillis: interval * 1000 },
      exportTimeoutMillis: Math.min(DEADLINE, interval * 1000),
    })
  }
  const processor = () => {
    const exporter = watched(new OTLPTraceExporter(target(options, "traces")), onFailure)
    return new BatchSpanProcessor({ exporter, exportTimeoutMillis: DEADLINE })
  }
  const spans = new TracerProvider({ resource, spanProcessors: traces ? [processor()] : [] })
  const measurements = new MeterProvider({ resource, readers: metrics ? [reader()] : [] })
  return {
    tracer: spans.getTracer("pawl"),
    meter: measurements.getMeter("pawl"),
    async close() {
      const ended = Promise.allSettled([spans.shutdown(), measurements.shutdown()])
      let timer: NodeJS.Timeout | undefined
      await Promise.race([ended, new Promise((resolve) => (timer = setTimeout(resolve, DEADLINE)))])
      clearTimeout(timer)
    },
  }
}

function target({ endpoint, headers }: Settings, signal: "traces" | "metrics") {
  const url = endpoint === undefined ? {} : { url: `${endpoint.replace(/\/+$/, "")}/v1/${signal}` }
  return { ...url, headers, timeoutMillis: DEADLINE }
}

interface Exporter<T> {
  export(items: T, done: (result: ExportResult) => void): void
}

/** Its failures are told: OpenTelemetry keeps them to itself. */
function watched<T, E extends Exporter<T>>(exporter: E & Exporter<T>, onFailure: (reason: string) => void): E {
  const send = exporter.export.bind(exporter)
  exporter.export = (items, done) =>
    send(items, (result) => {
      if (result.code !== ExportResultCode.SUCCESS) onFailure(result.error?.message ?? "it was refused")
      done(result)
    })
  return exporter
}
