import { expect, it } from "vitest"
import { organizationLayer } from "./organization-layer.ts"

const address = "https://acme.example/.well-known/pawl"

it("is read in pawl's keys and in OpenCode's, without what is not known", async () => {
  const layer = await organizationLayer({ address, value: { model: "a/b", theme: "x", new_key: 1 } })
  expect(layer).toMatchObject({ source: address, kind: "organization", config: { model: "a/b" } })
  expect(layer.leftOut.map(({ key }) => key)).toEqual(["theme", "new_key"])
})

it("gets its own token, and nothing else of the user's variables and files", async () => {
  const headers = { a: "Bearer {env:ACME_TOKEN}", b: "{env:HOME}", c: "{file:/etc/hosts}" }
  const value = { provider: { acme: { options: { headers } } } }
  const layer = await organizationLayer({ address, value, token: { name: "ACME_TOKEN", value: "t" } })
  expect(layer.config.provider?.["acme"]?.options?.headers).toEqual({ ...headers, a: "Bearer t" })
  const without = await organizationLayer({ address, value })
  expect(without.config.provider?.["acme"]?.options?.headers).toEqual(headers)
})

it("is refused, with its address, for what is wrong in it", async () => {
  await expect(organizationLayer({ address, value: { model: 5 } })).rejects.toThrow(
    `${address}: model must be a string, got a number.`,
  )
})

it.each([
  [`${"[".repeat(50_000)}${"]".repeat(50_000)}`, "More than 100 levels of objects and arrays are not read."],
  ['{ "mcp": { "servers": { "__proto__": { "enabled": true } } } }', 'The key "__proto__" is not allowed.'],
])("is refused where it would harm who reads it: %.60s", async (text, says) => {
  await expect(organizationLayer({ address, value: JSON.parse(text) })).rejects.toThrow(`${address}: ${says}`)
})
