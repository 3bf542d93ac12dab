import {
  contextOverflow,
  httpError,
  rateLimit,
  reply,
  streamError,
  text,
  unauthorized,
  type Reply,
} from "@pawl/model-server"
import type { ProviderErrorKind } from "@pawl/core/provider"
import { expect } from "vitest"
import { textOf } from "../events.ts"
import { sampleKey } from "../run-spec.ts"
import { type SpecContext, section } from "../section.ts"

function hasKind(answer: Reply, kind: ProviderErrorKind, details: object = {}) {
  return async ({ start }: SpecContext) => {
    const { failure, server } = await start([answer])
    const { error, events } = await failure()
    expect({ kind: error.kind, details: error.details }).toMatchObject({ kind, details })
    expect(events).toEqual([])
    expect(server.requests).toHaveLength(1)
  }
}

export const errors = section("errors", {
  "for a wrong key are of kind auth": hasKind(unauthorized(), "auth"),
  "for too many requests are of kind rate-limited, with the time to wait in milliseconds": hasKind(
    rateLimit({ retryAfter: 7 }),
    "rate-limited",
    { statusCode: 429, retryAfter: 7000 },
  ),
  "for too long a request are of kind overflow": hasKind(contextOverflow(), "overflow"),
  "for too large a body are of kind overflow": hasKind(httpError(413), "overflow"),
  "for a request that makes no sense are of kind invalid-request": hasKind(httpError(400), "invalid-request"),
  "of the server are transient": hasKind(httpError(500), "transient"),
  "of an overloaded server are transient": hasKind(httpError(529, { message: "Overloaded" }), "transient"),
  "of a gateway that answers with a web page are transient": hasKind(
    httpError(502, { body: "<html>Bad Gateway</html>", headers: { "content-type": "text/html" } }),
    "transient",
    { statusCode: 502 },
  ),
  "for an unknown model name it": async ({ start }) => {
    const { failure } = await start([], { server: { models: ["another-model"] } })
    const { error } = await failure()
    expect(error.kind).toBe("invalid-request")
    expect(error.details.statusCode).toBe(404)
  },
  "inside of an answer come behind what was said before": async ({ start }) => {
    const { failure } = await start([reply(text("Half a "), streamError("Overloaded"))])
    const { error, events } = await failure()
    expect([error.kind, textOf(events)]).toEqual(["transient", "Half a "])
    expect(error.message).toContain("Overloaded")
  },
  "at the beginning of an answer are told as well": async ({ start }) => {
    const { failure } = await start([reply(streamError("Overloaded"))])
    expect((await failure()).error.kind).toBe("transient")
  },
  "name the server and what it says": async ({ start }) => {
    const { failure, server } = await start([httpError(400, { message: "No such option." })])
    const { message } = (await failure()).error
    expect(message).toContain(new URL(server.url).host)
    expect(message).toContain("No such option.")
  },
  "hold no key, even when the server quotes it": async ({ start }) => {
    const { failure } = await start([unauthorized({ message: `Wrong key ${sampleKey}.` })])
    const { error } = await failure()
    expect(JSON.stringify([error.message, error.details])).not.toContain(sampleKey)
    expect(error.message).toContain("***")
  },
  "hold no secret of a header or of the query": async ({ start }) => {
    const connection = { headers: { "x-secret": "secret-one" }, query: { token: "secret-two" } }
    const quoting = httpError(400, { message: "Bad secret-one and secret-two." })
    const { failure } = await start([quoting], { connection })
    const { error } = await failure()
    expect(JSON.stringify([error.message, error.details])).not.toMatch(/secret-(?:one|two)/)
  },
  "for a server that is not there say so": async ({ start }) => {
    const { failure, server } = await start([])
    await server.close()
    const { error } = await failure()
    expect(error.kind).toBe("transport")
    expect(error.message).toContain("connection refused")
  },
})
