import { expect, it } from "vitest"
import { judgedAddresses } from "./judged-addresses.ts"

const names: Readonly<Record<string, readonly string[]>> = {
  "public.example": ["93.184.215.14", "2606:2800:21f:cb07:6820:80da:af6b:8b2c"],
  "both.example": ["93.184.215.14", "10.0.0.1"],
  "none.example": [],
}
const resolve = async (host: string) => names[host] ?? Promise.reject(new Error("ENOTFOUND"))
const judged = (host: string) => judgedAddresses(host, resolve, () => false)

it.each([
  ...["127.0.0.1", "10.1.2.3", "169.254.169.254", "192.168.1.1", "100.100.100.200", "0.0.0.0"],
  ...["[::1]", "[::]", "[fe80::1]", "[fd00:ec2::254]", "[::ffff:7f00:1]", "[64:ff9b::7f00:1]", "[2002:7f00:1::]"],
  ...["localhost", "a.localhost", "localhost.", "both.example"],
])("refuses %s", async (host) => {
  await expect(judged(host)).rejects.toMatchObject({ name: "BlockedAddressError" })
})

it.each([
  ["93.184.215.14", ["93.184.215.14"]],
  ["[2606:2800:21f::1]", ["2606:2800:21f::1"]],
  ["[64:ff9b::5db8:d70e]", ["64:ff9b::5db8:d70e"]],
  ["public.example.", names["public.example"]],
])("gives the addresses of %s", async (host, addresses) => {
  expect(await judged(host)).toMatchObject({ addresses })
})

it("lets those be reached that are allowed, each for itself", async () => {
  const allowed = (address: string) => judgedAddresses("both.example", resolve, (_host, one) => one === address)
  expect(await allowed("10.0.0.1")).toEqual({ host: "both.example", addresses: names["both.example"] })
  await expect(allowed("93.184.215.14")).rejects.toThrow("has the address 10.0.0.1, which is not public (private)")
})

it.each(["unknown.example", "none.example"])("rejects where %s has no address", async (host) => {
  await expect(judged(host)).rejects.toThrow(/ENOTFOUND|has no address/)
})
