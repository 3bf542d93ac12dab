import { lookup } from "node:dns/promises"
import { BlockList, isIP, isIPv4 } from "node:net"

/** All addresses of a host name. Rejects where there are none. */
export type Resolve = (host: string) => Promise<readonly string[]>

export const systemResolve: Resolve = async (host) => {
  return (await lookup(host, { all: true })).map(({ address }) => address)
}

const privateIPv4 = blockList("ipv4", [
  ...["0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "168.63.129.16/32", "169.254.0.0/16"],
  ...["172.16.0.0/12", "192.0.0.0/24", "192.168.0.0/16", "198.18.0.0/15", "224.0.0.0/3"],
])
const publicIPv6 = blockList("ipv6", ["2000::/3"])
// Both hold an IPv4 address to which a relay would pass the packets on.
const relayedIPv6 = blockList("ipv6", ["2001::/32", "2002::/16"])
const translated = "64:ff9b::"

/** Whether a host is of this machine or of its own network alone, as a URL's `hostname` gives it. False where nothing is known of it. */
export async function isPrivateHost(hostname: string, resolve: Resolve): Promise<boolean> {
  const host = hostname.replaceAll(/^\[|\]$|\.$/g, "")
  if (isIP(host) !== 0) return isPrivateAddress(host)
  if (/(^|\.)localhost$/.test(host)) return true
  // What cannot be resolved cannot be reached either, but through a proxy that sees more than this machine.
  return (await resolve(host).catch(() => [])).some(isPrivateAddress)
}

function isPrivateAddress(address: string): boolean {
  if (isIPv4(address)) return privateIPv4.check(address, "ipv4")
  const [plain = ""] = address.split("%")
  if (plain.startsWith(translated)) return isPrivateAddress(embedded(plain))
  return !publicIPv6.check(plain, "ipv6") || relayedIPv6.check(plain, "ipv6")
}

/** The IPv4 address at the end. */
function embedded(address: string): string {
  const [, high = "0", low = "0"] =
    /:([\da-f]*):([\da-f]*)$/.exec(new URL(`http://[${address}]`).hostname.slice(1, -1)) ?? []
  const groups = [high, low].map((group) => Number.parseInt(group || "0", 16))
  return groups.flatMap((group) => [group >> 8, group & 255]).join(".")
}

function blockList(family: "ipv4" | "ipv6", subnets: readonly string[]): BlockList {
  const list = new BlockList()
  for (const subnet of subnets) {
    const [network = "", bits] = subnet.split("/")
    list.addSubnet(network, Number(bits), family)
  }
  return list
}
