import { describe, expect, it } from "vitest"
import { createSecrets } from "./secrets.ts"
import { secretVariables } from "./secret-variables.ts"

const key = 'a"key/with+all?kinds&of=ü'

function masking(value: string, name?: string): (text: string) => string {
  const secrets = createSecrets()
  secrets.add(value, name)
  return (text) => secrets.mask(text)
}

describe("a remembered value is masked", () => {
  const base64 = (text: string) => Buffer.from(text).toString("base64")
  it.each<[string, string]>([
    ["as it is", `got ${key}!`],
    ["escaped for JSON", JSON.stringify({ it: key })],
    ["escaped for JSON within JSON", JSON.stringify(JSON.stringify({ it: key }))],
    ["encoded for a URL", `https://x.example/?q=${encodeURIComponent(key)}`],
    ["in base64", `got ${base64(key)} there`],
    ["in base64 for URLs", Buffer.from(key).toString("base64url")],
    ["in base64 behind one character", base64(`a${key}`)],
    ["in base64 behind two characters", base64(`ab${key}`)],
    ["in base64 within a longer text", base64(`user:${key}:more`)],
  ])("%s", (_, text) => {
    const masked = masking(key, "ACME_KEY")(text)

    expect(masked).toContain("[removed:ACME_KEY]")
    expect(masked).not.toContain(key.slice(2, 10))
  })

  it("at every place, with what stands around it", () => {
    expect(masking("s3cret-value")("a s3cret-value, s3cret-values3cret-value")).toBe(
      "a [removed:secret.value], [removed:secret.value]",
    )
  })

  it("without the space around it, as files and variables have it", () => {
    expect(masking(" s3cret-value\n")("(s3cret-value)")).toBe("([removed:secret.value])")
  })

  it("whole where another one is its beginning, its end, or in its midst", () => {
    const secrets = createSecrets()
    for (const value of ["abcdefgh", "abcdefghijklmnop", "ijklmnop", "defghijk", "nopqrstu"]) secrets.add(value, value)

    expect(secrets.mask("-abcdefghijklmnop-")).toBe("-[removed:abcdefghijklmnop]-")
    expect(secrets.mask("xabcdefghx ijklmnopx")).toBe("x[removed:abcdefgh]x [removed:ijklmnop]x")
    expect(secrets.mask("abcdefghijklmnopqrstu")).toMatch(/^\[removed:[a-z]+\]$/)
  })

  it("when it was added after something was masked", () => {
    const secrets = createSecrets()
    expect(secrets.mask("later-secret")).toBe("later-secret")
    secrets.add("later-secret")
    expect(secrets.mask("later-secret")).toBe("[removed:secret.value]")
  })
})

describe("not remembered", () => {
  it.each([undefined, "", "ordinar", "  short  "])("%j", (value) => {
    const secrets = createSecrets()
    secrets.add(value)
    expect(secrets.mask("ordinary words, short ones")).toBe("ordinary words, short ones")
  })

  it("what another registry remembers", () => {
    masking("s3cret-value")
    expect(createSecrets().mask("s3cret-value")).toBe("s3cret-value")
  })
})

it("masks what looks like a secret besides", () => {
  const secrets = createSecrets()
  expect(secrets.mask("ACME_API_KEY=abcdef123")).toBe("ACME_API_KEY=[removed:secret.assignment]")
  expect(secrets.mask("postgres://ada:hunter2@db/x")).toBe("postgres://ada:[removed:secret.url-password]@db/x")
})

it("counts what it masks, by kind", () => {
  const secrets = createSecrets()
  secrets.add("s3cret-value")
  const kinds: string[] = []

  secrets.mask("s3cret-value s3cret-value ACME_API_KEY=abcdef123", (kind) => kinds.push(kind))

  expect(kinds).toEqual(["secret.value", "secret.value", "secret.assignment"])
})

it("finds the variables that hold secrets", () => {
  const environment = { ACME_TOKEN: "t0ken", PWD: "/srv", OLDPWD: "/srv/a", HOME: "/root", DB_PASSWORD: undefined }
  expect(secretVariables(environment)).toEqual([["ACME_TOKEN", "t0ken"]])
})

it.each(["a", "ab", "aaaaaaab", "abcdefghijklmno", "\n", "…", "a…", "sk-", "sk-…", "password: …"])(
  "takes no longer for a text of %j than it is long",
  (piece) => {
    const secrets = createSecrets()
    for (let at = 0; at < 40; at++) secrets.add(`${"a".repeat(200)}${at}`)
    secrets.add("abcdefghijklmnop")
    const time = (text: string) => {
      const start = process.cpuUsage()
      secrets.mask(text)
      const { user, system } = process.cpuUsage(start)
      return user + system
    }
    time("warm up")
    const plain = time("plain words ".repeat(40_000))
    // A search that began anew at each character would take hundreds of times as long.
    expect(time(piece.repeat(480_000 / piece.length))).toBeLessThan(100 * plain)
  },
)

describe("before a mark of omission", () => {
  const mask = masking("hunter2-and-more", "ACME_KEY")

  it.each([
    ["a hunter2-a…", "a [removed:ACME_KEY]…"],
    ["a hunt... and more", "a [removed:ACME_KEY]... and more"],
    ['{"a":"hunter2-and-mor…"}', '{"a":"[removed:ACME_KEY]…"}'],
    ["hunter2-and-hunter2…", "hunter2-and-[removed:ACME_KEY]…"],
    [`${Buffer.from("hunter2-and").toString("base64").slice(0, 12)}…`, "[removed:ACME_KEY]…"],
  ])("masks the beginning of a remembered value: %s", (text, masked) => {
    expect(mask(text)).toBe(masked)
  })

  it.each(["a hun…", "a hunter2-a", "a hunter3…", "hunt...more", "hunter2-a … b"])("leaves %s", (text) => {
    expect(mask(text)).toBe(text)
  })
})
