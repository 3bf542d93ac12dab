import { expect, it } from "vitest"
import { callbackAddress } from "./callback-address.ts"

it("is the usual address, then the next ports, then any", () => {
  const { host, path, ports, redirect } = callbackAddress({}, { isFixed: false })
  expect([host, path, ports[0], ports[1], ports.at(-1)]).toEqual([
    "127.0.0.1",
    "/mcp/oauth/callback",
    19_876,
    19_877,
    0,
  ])
  expect(redirect(19_876)).toBe("http://127.0.0.1:19876/mcp/oauth/callback")
})

it("is one port alone for a client that people have registered", () => {
  expect(callbackAddress({}, { isFixed: true }).ports).toEqual([19_876])
  expect(callbackAddress({ callbackPort: 4000 }, { isFixed: false }).ports).toEqual([4000])
})

it("begins with the port that an earlier registration knows", () => {
  const earlier = ["http://127.0.0.1:5000/mcp/oauth/callback"]
  expect(callbackAddress({}, { isFixed: false, earlier }).ports.slice(0, 2)).toEqual([5000, 19_876])
})

it("is told as it is configured, and listens on its port and path", () => {
  const redirectUri = "http://localhost:8123/back"
  const address = callbackAddress({ redirectUri }, { isFixed: true })
  expect([address.host, address.path, address.ports, address.redirect(8123)]).toEqual([
    "127.0.0.1",
    "/back",
    [8123],
    redirectUri,
  ])
})

it("listens on another port than it is told, where somebody passes the answer on", () => {
  const address = callbackAddress({ redirectUri: "https://here.example/back", callbackPort: 4000 }, { isFixed: true })
  expect([address.ports, address.redirect(4000)]).toEqual([[4000], "https://here.example/back"])
})
