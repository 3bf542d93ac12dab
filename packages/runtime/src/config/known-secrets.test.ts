import { expect, it } from "vitest"
import { rememberSecrets } from "./known-secrets.ts"

it("remembers the keys of providers, and headers that carry one", () => {
  const told: unknown[] = []
  const headers = { "X-Auth": "one", Cookie: "two", accept: "text/plain" }
  const provider = { a: { options: { apiKey: "k", headers } }, b: { name: "B" } }

  rememberSecrets({ provider }, { add: (value, name) => void (value && told.push([value, name])) })

  expect(told).toEqual([
    ["k", "provider.a.options.apiKey"],
    ["one", "X-Auth"],
    ["two", "Cookie"],
  ])
})

it("remembers what MCP servers are told of secrets", () => {
  const told: unknown[] = []
  const mcp = {
    a: { type: "local", command: ["x"], environment: { API_TOKEN: "one", MODE: "fast" } },
    b: { type: "remote", url: "https://a", headers: { Authorization: "two" }, oauth: { clientSecret: "three" } },
    c: { enabled: false },
  } as const

  rememberSecrets({ mcp: mcp as never }, { add: (value, name) => void (value && told.push([value, name])) })

  expect(told).toEqual([
    ["one", "API_TOKEN"],
    ["two", "Authorization"],
    ["three", "mcp.oauth.clientSecret"],
  ])
})

it("remembers options with a secret's name at any depth, of providers, models and plugins", () => {
  const told: unknown[] = []
  const config = {
    provider: {
      a: { options: { sdk: { nested: { password: "one" } } }, models: { m: { options: { api_token: "two" } } } },
    },
    plugin: ["plain", ["with-options", { accounts: [{ token: "three", name: "mine", credentials: "/etc/key.json" }] }]],
  }

  rememberSecrets(config as never, { add: (value, name) => void (value && told.push([value, name])) })

  expect(told).toEqual([
    ["one", "password"],
    ["two", "api_token"],
    ["three", "token"],
  ])
})
