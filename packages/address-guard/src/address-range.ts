import { BlockList, isIPv4, isIPv6 } from "node:net"

type Family = "ipv4" | "ipv6"
type Ranges = readonly (readonly [name: string, subnets: readonly string[]])[]

// The first range that holds an address gives it its name.
const ipv4Ranges = rangeLists("ipv4", [
  ["unspecified", ["0.0.0.0/8"]],
  ["loopback", ["127.0.0.0/8"]],
  ["private", ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16"]],
  // Clouds answer questions about a machine and its credentials here; the last two are not link-local.
  ["cloud metadata", ["169.254.169.254/32", "169.254.170.2/32", "100.100.100.200/32", "168.63.129.16/32"]],
  ["link-local", ["169.254.0.0/16"]],
  ["carrier-grade NAT", ["100.64.0.0/10"]],
  ["documentation", ["192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24"]],
  ["benchmark", ["198.18.0.0/15"]],
  ["protocol assignment", ["192.0.0.0/24", "192.88.99.0/24"]],
  ["multicast", ["224.0.0.0/4"]],
  ["broadcast", ["255.255.255.255/32"]],
  ["reserved", ["240.0.0.0/4"]],
])

const ipv6Ranges = rangeLists("ipv6", [
  ["unspecified", ["::/128"]],
  ["loopback", ["::1/128"]],
  ["IPv4-compatible", ["::/96"]],
  ["local NAT64", ["64:ff9b:1::/48"]],
  ["cloud metadata", ["fd00:ec2::254/128"]],
  ["unique local", ["fc00::/7"]],
  ["link-local", ["fe80::/10"]],
  ["site-local", ["fec0::/10"]],
  ["multicast", ["ff00::/8"]],
  // Both hold an IPv4 address to which a relay would pass the packets on.
  ["Teredo", ["2001::/32"]],
  ["6to4", ["2002::/16"]],
  ["protocol assignment", ["2001::/23"]],
  ["documentation", ["2001:db8::/32", "3fff::/20"]],
])

const mapped = subnetList("ipv6", ["::ffff:0:0/96"])
const nat64 = subnetList("ipv6", ["64:ff9b::/96"])
const globalUnicast = subnetList("ipv6", ["2000::/3"])

/**
 * Returns the reserved range of an address, such as `loopback`; undefined if the address is public. An IPv6 address that
 * maps an IPv4 address (mapped, NAT64) is checked as IPv4. An invalid address is `unreadable`.
 */
export function blockedRange(address: string): string | undefined {
  if (isIPv4(address)) return rangeOf(ipv4Ranges, address, "ipv4")
  const [plain = ""] = address.split("%")
  if (!isIPv6(plain)) return "unreadable"
  const groups = ipv6Groups(plain)
  if (isWithin(mapped, plain) || isWithin(nat64, plain)) return blockedRange(embeddedIPv4(groups))
  const range = rangeOf(ipv6Ranges, plain, "ipv6")
  if (range !== undefined) return range
  if (!isWithin(globalUnicast, plain)) return "reserved"
  return isIsatap(groups) ? "ISATAP" : undefined
}

function rangeLists(family: Family, ranges: Ranges): readonly (readonly [string, BlockList])[] {
  return ranges.map(([name, subnets]) => [name, subnetList(family, subnets)])
}

function subnetList(family: Family, subnets: readonly string[]): BlockList {
  const list = new BlockList()
  for (const subnet of subnets) {
    const [network = "", bits] = subnet.split("/")
    list.addSubnet(network, Number(bits), family)
  }
  return list
}

function rangeOf(ranges: readonly (readonly [string, BlockList])[], address: string, family: Family) {
  return ranges.find(([, list]) => list.check(address, family))?.[0]
}

function isWithin(list: BlockList, address: string): boolean {
  return list.check(address, "ipv6")
}

/** The eight groups. The URL parser writes every spelling, also one that ends in dotted decimals, in one way. */
function ipv6Groups(address: string): readonly number[] {
  const [head = "", tail] = new URL(`http://[${address}]/`).hostname.slice(1, -1).split("::")
  const [before, after] = [toGroups(head), toGroups(tail ?? "")]
  return [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after]
}

function toGroups(text: string): readonly number[] {
  return text === "" ? [] : text.split(":").map((group) => Number.parseInt(group, 16))
}

function embeddedIPv4(groups: readonly number[]): string {
  return groups
    .slice(6)
    .flatMap((group) => [group >> 8, group & 0xff])
    .join(".")
}

/** A tunnel's interface: `0:5efe` or `200:5efe`, then an IPv4 address. */
function isIsatap(groups: readonly number[]): boolean {
  return ((groups[4] ?? 0) & ~0x200) === 0 && groups[5] === 0x5efe
}
