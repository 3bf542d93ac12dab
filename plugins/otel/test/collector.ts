import { once } from "node:events"
import { createServer, type IncomingHttpHeaders } from "node:http"
import type { AddressInfo } from "node:net"
import { json } from "node:stream/consumers"

export interface SentSpan {
  readonly name: string
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  /** Epoch nanoseconds. */
  readonly start: bigint
  readonly end: bigint
  readonly attributes: Readonly<Record<string, unknown>>
  readonly events: readonly { readonly name: string; readonly attributes: Readonly<Record<string, unknown>> }[]
  readonly isFailed: boolean
}

export interface SentPoint {
  readonly value: number
  /** Of a histogram. */
  readonly count: number
  readonly attributes: Readonly<Record<string, unknown>>
}

/** What an OpenTelemetry collector gets over HTTP as JSON. */
export interface Collector extends AsyncDisposable {
  readonly endpoint: string
  readonly requests: readonly { readonly path: string; readonly headers: IncomingHttpHeaders; readonly body: unknown }[]
  spans(): SentSpan[]
  /** As they were told last. */
  points(metric: string): SentPoint[]
  resource(): Readonly<Record<string, unknown>>
}

interface Wire {
  // oxlint-disable-next-line typescript/no-explicit-any -- JSON of OTLP, as it comes.
  readonly [key: string]: any
}

/** `status`: what it answers; 0: nothing, ever. */
export async function collector(status = 200): Promise<Collector> {
  const requests: { path: string; headers: IncomingHttpHeaders; body: Wire }[] = []
  const server = createServer((request, response) => {
    void json(request).then((body) => {
      requests.push({ path: request.url ?? "", headers: request.headers, body: body as Wire })
      if (status > 0) response.writeHead(status, { "content-type": "application/json" }).end("{}")
    })
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const bodies = (path: string) => requests.filter((each) => each.path === path).map(({ body }) => body)
  const scopes = (path: string, kind: string): Wire[] => {
    return bodies(path).flatMap((body) => (body[`resource${kind}`] as Wire[]).flatMap((each) => each[`scope${kind}`]))
  }
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    spans: () => scopes("/v1/traces", "Spans").flatMap(({ spans }) => (spans as Wire[]).map((span) => toSpan(span))),
    points(metric) {
      const told = scopes("/v1/metrics", "Metrics").flatMap(({ metrics }) => metrics as Wire[])
      const last = told.findLast(({ name }) => name === metric)
      const points = ((last?.["sum"] ?? last?.["histogram"])?.dataPoints ?? []) as Wire[]
      return points.map(({ asDouble, asInt, sum, count, attributes }) => {
        return { value: Number(asDouble ?? asInt ?? sum), count: Number(count), attributes: toRecord(attributes) }
      })
    },
    resource: () => toRecord(bodies("/v1/traces")[0]?.["resourceSpans"][0].resource.attributes),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, "close")
    },
  }
}

function toSpan({ name, traceId, spanId, parentSpanId, startTimeUnixNano, endTimeUnixNano, ...span }: Wire): SentSpan {
  return {
    ...{ name, traceId, spanId },
    ...(parentSpanId ? { parentSpanId } : {}),
    ...{ start: BigInt(startTimeUnixNano), end: BigInt(endTimeUnixNano), attributes: toRecord(span["attributes"]) },
    events: (span["events"] as Wire[]).map((event) => ({
      name: event["name"],
      attributes: toRecord(event["attributes"]),
    })),
    isFailed: span["status"].code === 2,
  }
}

function toRecord(attributes: Wire[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, toValue(value as Wire)]))
}

function toValue({ stringValue, intValue, doubleValue, boolValue, arrayValue }: Wire): unknown {
  if (arrayValue) return (arrayValue.values as Wire[]).map((each) => toValue(each))
  return stringValue ?? boolValue ?? Number(intValue ?? doubleValue)
}
