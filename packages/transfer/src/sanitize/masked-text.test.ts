import { expect, it } from "vitest"
import { maskedText } from "./masked-text.ts"

function masked(text: string, homes: string[] = []): { text: string; counts: Record<string, number> } {
  const counts: Record<string, number> = {}
  const clean = maskedText(text, { homes }, (kind) => void (counts[kind] = (counts[kind] ?? 0) + 1))
  return { text: clean, counts }
}

it.each([
  ["/home/ada/x", "/home/user/x"],
  ["/Users/ada", "/Users/user"],
  ["file:///home/ada/x", "file:///home/user/x"],
  ["C:\\Users\\ada\\x", "C:\\Users\\user\\x"],
  ["C:\\\\Users\\\\ada\\\\x", "C:\\\\Users\\\\user\\\\x"],
  ["/data/people/ada/x", "/home/user/x"],
])("masks whose home %s is", (text, clean) => {
  expect(masked(text, ["/data/people/ada"])).toEqual({ text: clean, counts: { "path.home": 1 } })
})

it("does not take the beginning of a longer name for a home", () => {
  expect(masked("/data/people/adam/x", ["/data/people/ada"]).counts).toEqual({})
})

it("masks what was masked no further", () => {
  const { text, counts } = masked("ACME_API_KEY=abcdef123 /home/ada")
  expect(counts).toEqual({ "path.home": 1, "secret.assignment": 1 })
  expect(masked(text)).toEqual({ text, counts: {} })
})

it("takes no longer for a text of homes than it is long", () => {
  const time = (text: string) => {
    const start = process.cpuUsage()
    masked(text)
    const { user, system } = process.cpuUsage(start)
    return user + system
  }
  const plain = time("plain words ".repeat(40_000))
  expect(time("/home/".repeat(80_000))).toBeLessThan(100 * plain)
})
