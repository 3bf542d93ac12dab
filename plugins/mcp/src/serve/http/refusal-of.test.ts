import { expect, it } from "vitest"
import type { RequestHead } from "@pawl/loopback-http"
import { refusalOf } from "./refusal-of.ts"

const gate = { port: 4319, token: "t0ken_-" }
const knock: RequestHead = {
  method: "POST",
  target: "/mcp",
  host: "127.0.0.1:4319",
  origin: undefined,
  authorization: "Bearer t0ken_-",
}

it.each<Partial<RequestHead>>([
  {},
  { host: "localhost:4319" },
  { method: "GET", target: "/mcp?a=b" },
  { method: "DELETE" },
  { authorization: "bearer t0ken_-" },
  { origin: "http://127.0.0.1:4319" },
  { origin: "http://localhost:4319" },
])("lets in %j", (changed) => {
  expect(refusalOf({ ...knock, ...changed }, gate)).toBeUndefined()
})

it.each<[number, Partial<RequestHead>]>([
  ...[
    undefined,
    "",
    "evil.example",
    "evil.example:4319",
    "127.0.0.1",
    "127.0.0.1:80",
    "127.0.0.1:43190",
    "0.0.0.0:4319",
  ].map((host): [number, Partial<RequestHead>] => [403, { host }]),
  ...["localhost.evil.example:4319", "127.0.0.1:4319.evil.example", "a@127.0.0.1:4319", "127.0.0.1:4319, evil"].map(
    (host): [number, Partial<RequestHead>] => [403, { host }],
  ),
  ...["https://evil.example", "null", "", "http://127.0.0.1", "https://127.0.0.1:4319", "http://127.0.0.1:4319/"].map(
    (origin): [number, Partial<RequestHead>] => [403, { origin }],
  ),
  ...["/", "/mcp/", "/MCP", "//mcp", "/mcp2", "http://127.0.0.1:4319/mcp", "*", undefined].map(
    (target): [number, Partial<RequestHead>] => [404, { target }],
  ),
  ...[undefined, "", "t0ken_-", "Bearer", "Bearer ", "Bearer t0ken_", "Bearer t0ken_-2", "Basic t0ken_-"].map(
    (authorization): [number, Partial<RequestHead>] => [401, { authorization }],
  ),
  ...["OPTIONS", "PUT", "HEAD", "TRACE", "get"].map((method): [number, Partial<RequestHead>] => [405, { method }]),
])("answers %i to %j", (status, changed) => {
  expect(refusalOf({ ...knock, ...changed }, gate)).toMatchObject({ status })
})

it("tells a page whose name leads here nothing of the token, and others nothing of the paths", () => {
  expect(refusalOf({ ...knock, host: "evil.example:4319", authorization: "Bearer no" }, gate)).toMatchObject({
    status: 403,
  })
  expect(refusalOf({ ...knock, method: "OPTIONS", origin: "https://evil.example" }, gate)).toMatchObject({
    status: 403,
  })
})

it("knows that the usual port is left out", () => {
  expect(refusalOf({ ...knock, host: "localhost" }, { ...gate, port: 80 })).toBeUndefined()
})
