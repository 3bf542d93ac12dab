import { expect, it } from "vitest"
import { assertReachable, createConfinement } from "./confinement.ts"

const out = "93.184.215.14"

/** A server whose names lead to these addresses, at the first lookup, the second and so on; the last one stays. */
function confined(url: string, names: Readonly<Record<string, readonly (readonly string[])[]>>) {
  const lookups: Record<string, number> = {}
  return createConfinement("box", url, async (host) => {
    const at = (lookups[host] = (lookups[host] ?? 0) + 1)
    const found = names[host]
    if (!found) throw new Error(`ENOTFOUND ${host}`)
    return found[at - 1] ?? found.at(-1) ?? []
  })
}

it("lets a server of this network name what is there, and what is out there", async () => {
  const confinement = confined("https://mcp.intern/mcp", { "mcp.intern": [["10.0.0.1"]], "auth.example": [[out]] })
  expect(await confinement.addressesOf("192.168.0.1")).toEqual(["192.168.0.1"])
  expect(await confinement.addressesOf("mcp.intern")).toEqual(["10.0.0.1"])
  expect(await confinement.addressesOf("auth.example")).toEqual([out])
})

it.each([
  ["its own name leads there later", "mcp.example", [[out], ["127.0.0.1"]]],
  ["its own name leads there too", "mcp.example", [[out, "127.0.0.1"]]],
  ["its own name has led there since", "auth.intern", [[out], ["10.0.0.9"]]],
  ["its own name is not known", "auth.intern", []],
])("lets no server out there name this network when %s", async (_, target, own) => {
  const confinement = confined("https://mcp.example/mcp", {
    ...(own.length === 0 ? {} : { "mcp.example": own }),
    "auth.intern": [["10.0.0.1"]],
    "auth.example": [[out]],
  })
  await confinement.addressesOf("auth.example")
  for (const _again of [1, 2]) {
    await expect(confinement.addressesOf(target)).rejects.toMatchObject({ name: "AuthError", kind: "unsafe" })
  }
})

it("leaves what cannot be resolved to whoever connects to it", async () => {
  const confinement = confined("https://mcp.example/mcp", { "mcp.example": [[out]] })
  await assertReachable("https://unknown.example/authorize", confinement)
  await expect(confinement.addressesOf("unknown.example")).rejects.toThrow("ENOTFOUND")
})
