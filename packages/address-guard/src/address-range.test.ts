import ipaddr from "ipaddr.js"
import { expect, it } from "vitest"
import { blockedRange } from "./address-range.ts"

/** What this library calls public; other forms of an IPv4 address it only names. */
function isPublicElsewhere(address: string): boolean {
  return ipaddr.process(address).range() === "unicast"
}

/** The same numbers at each run. */
function seeded(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const notable = [
  0, 10, 100, 127, 128, 169, 172, 192, 198, 203, 223, 224, 240, 255, 1, 16, 31, 64, 88, 99, 113, 168, 254,
]

function ipv4(random: (below: number) => number): number[] {
  return Array.from({ length: 4 }, () => (random(2) === 0 ? random(256) : (notable[random(notable.length)] ?? 0)))
}

function ipv4Spelling(bytes: readonly number[], random: (below: number) => number): string {
  const parts = bytes.slice(0, 1 + random(4))
  const rest = bytes.slice(parts.length - 1)
  parts[parts.length - 1] = rest.reduce((value, byte) => value * 256 + byte, 0)
  const spell = [(n: number) => `${n}`, (n: number) => `0x${n.toString(16)}`, (n: number) => `0${n.toString(8)}`]
  return parts.map((part) => spell[random(3)]?.(part)).join(".")
}

const prefixes = [
  "2001",
  "2002",
  "64:ff9b",
  "64:ff9b:1",
  "::ffff",
  "fe80",
  "fec0",
  "fc00",
  "ff02",
  "2001:db8",
  "3fff",
  "2606",
  "2a00",
]

function ipv6(random: (below: number) => number): string {
  const start = random(3) === 0 ? random(0x10000).toString(16) : (prefixes[random(prefixes.length)] ?? "")
  if (start.startsWith("::")) return `${start}:${ipv4(random).join(".")}`
  const filled = start.split(":").length
  if (random(3) === 0) return `${start}::${random(2) === 0 ? ipv4(random).join(".") : random(0x10000).toString(16)}`
  return [start, ...Array.from({ length: 8 - filled }, () => random(0x10000).toString(16))].join(":")
}

it("agrees with another library on every IPv4 address, however it is spelled", () => {
  const random = seeded(4)
  for (let round = 0; round < 5000; round++) {
    const bytes = ipv4(random)
    const address = bytes.join(".")
    const spelling = ipv4Spelling(bytes, random)
    const read = new URL(`http://${spelling}/`).hostname
    expect({ spelling, read }).toEqual({ spelling, read: address })
    // Public by its range, but where a cloud keeps a machine's credentials.
    const expected = isPublicElsewhere(address) && address !== "168.63.129.16"
    expect({ address, isPublic: blockedRange(address) === undefined }).toEqual({ address, isPublic: expected })
  }
})

/** In this prefix alone it is known where the IPv4 address stands. */
function standsFor(address: string): string {
  const parsed = ipaddr.parse(address)
  if (!(parsed instanceof ipaddr.IPv6) || !parsed.match(ipaddr.IPv6.parseCIDR("64:ff9b::/96"))) return address
  return parsed.toByteArray().slice(12).join(".")
}

// Ranges that the other library takes for public or does not know.
const stricter = new Set([
  "IPv4-compatible",
  "protocol assignment",
  "reserved",
  "documentation",
  "ISATAP",
  "site-local",
  "local NAT64",
])

it("blocks every IPv6 address that another library does not take for public", () => {
  const random = seeded(6)
  const counts = { public: 0, blocked: 0 }
  for (let round = 0; round < 5000; round++) {
    const address = ipv6(random)
    const parsed = ipaddr.parse(address)
    const range = blockedRange(address)
    if (range === undefined) counts.public++
    else counts.blocked++
    if (range === undefined)
      expect({ address, isPublic: isPublicElsewhere(standsFor(address)) }).toMatchObject({ isPublic: true })
    else if (isPublicElsewhere(address)) expect(stricter).toContain(range)
    // Every spelling is the same address.
    const spelling = parsed.toNormalizedString().toUpperCase()
    expect({ spelling, range: blockedRange(spelling) }).toEqual({ spelling, range })
  }
  expect(counts.public).toBeGreaterThan(500)
  expect(counts.blocked).toBeGreaterThan(500)
})

it("takes what is no address for blocked", () => {
  for (const text of [
    "",
    "127.1",
    "0x7f.0.0.1",
    "2130706433",
    "::1::",
    "[::1]",
    "example.com",
    "1.2.3.4 ",
    "::ffff:1.2.3",
  ]) {
    expect({ text, range: blockedRange(text) }).toEqual({ text, range: "unreadable" })
  }
})

it("judges an address with a zone without it", () => {
  expect(blockedRange("fe80::1%eth0")).toBe("link-local")
})
