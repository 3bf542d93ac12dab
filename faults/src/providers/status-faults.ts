import { contextOverflow, httpError, quotaExhausted, type Reply, unauthorized } from "@pawl/model-server"
import type { Expected, Fault } from "./fault.ts"
import { whole } from "./faulty-front.ts"

const PAGE = "<html><head><title>502 Bad Gateway</title></head><body><center>nginx</center></body></html>"
const html = { "content-type": "text/html" }
const inASecond = () => new Date(Date.now() + 1000).toUTCString()
const limited = (headers: Record<string, string>) => () => httpError(429, { message: "Slow down.", headers })

const rows: readonly (readonly [string, () => Reply, Expected])[] = [
  ["429", limited({}), "answered"],
  ["429, retry-after-ms", limited({ "retry-after-ms": "20" }), "answered"],
  ["429, retry-after 1 s", limited({ "retry-after": "1" }), "answered"],
  ["429, retry-after as a date", () => limited({ "retry-after": inASecond() })(), "answered"],
  ["429, retry-after 61 s", limited({ "retry-after": "61" }), ["rate-limited"]],
  ["429, no quota", () => quotaExhausted(), ["quota-exhausted"]],
  ["500", () => httpError(500, {}), "answered"],
  ["502 with a proxy's page", () => httpError(502, { body: PAGE, headers: html }), "answered"],
  ["503", () => httpError(503, {}), "answered"],
  ["503, retry-after 3600 s", () => httpError(503, { headers: { "retry-after": "3600" } }), ["transient"]],
  ["529", () => httpError(529, {}), "answered"],
  ["500 without a body", () => httpError(500, { body: "" }), "answered"],
  ["401", () => unauthorized(), ["auth"]],
  ["402", () => httpError(402, { message: "Payment required." }), ["quota-exhausted"]],
  ["403", () => httpError(403, {}), ["auth"]],
  ["404", () => httpError(404, { kind: "unknown-model", message: "There is no such model." }), ["invalid-request"]],
  ["400", () => httpError(400, { message: "temperature: not allowed." }), ["invalid-request"]],
  ["413", () => httpError(413, {}), ["overflow"]],
  ["400, too long", () => contextOverflow(), ["overflow"]],
]

/** Answers with an error status, in the format of each vendor. */
export const statusFaults: readonly Fault[] = rows.map(([name, toReply, expected]) => ({
  name: `status ${name}`,
  expected: () => expected,
  spoil: () => async (_answer, ask) => {
    const answer = await ask(toReply())
    return whole(answer)
  },
}))
