import { describe, expect, it } from "vitest"
import { maskedPatterns } from "./masked-patterns.ts"

// Put together here, so that no text of this file looks like a secret.
const join = (...pieces: string[]) => pieces.join("")
const letters = "abcdefghijklmnopqrstuvwxyz0123456789ABCD"

function masked(text: string): { text: string; counts: Record<string, number> } {
  const counts: Record<string, number> = {}
  const clean = maskedPatterns(text, (kind) => void (counts[kind] = (counts[kind] ?? 0) + 1))
  return { text: clean, counts }
}

describe("keys by their prefix", () => {
  it.each([
    ["sk-", letters],
    ["sk-ant-api03-", letters],
    ["ghp_", letters],
    ["github_pat_", letters],
    ["glpat-", letters],
    ["xoxb-", letters],
    ["AKIA", "ABCDEFGHIJKLMNOP"],
    ["AIza", letters],
    ["npm_", letters],
    ["hf_", letters],
    ["sk_live_", letters],
  ])("%s", (prefix, rest) => {
    expect(masked(`before "${prefix}${rest}" after`)).toEqual({
      text: 'before "[removed:secret.key]" after',
      counts: { "secret.key": 1 },
    })
  })
})

describe("half a secret before a mark of omission", () => {
  it.each([
    [join("token ", "ghp_abc…"), "token [removed:secret.key]…"],
    [join('{"a":"', "sk-ant-api03-a", '…"}'), '{"a":"[removed:secret.key]…"}'],
    [join("a ", "AKIAAB", "... b"), "a [removed:secret.key]... b"],
    [join("SG", ".abcdefg…"), "[removed:secret.key]…"],
    [join("eyJ", "hbGciOi…"), "[removed:secret.jwt]…"],
    ["Bearer ab1…", "Bearer [removed:secret.authorization]…"],
    ["Authorization: Basic dX…", "Authorization: Basic [removed:secret.authorization]"],
    ["postgres://ada:hunt…", "postgres://ada:[removed:secret.url-password]…"],
    ["https://x.example/?sig=ab…", "https://x.example/?sig=[removed:secret.url-signature]…"],
    ['password: "two wor…', 'password: "[removed:secret.assignment]'],
    ["my password is hunter…", "my password is [removed:secret.assignment]"],
    [
      "the token: abcd… the token: efgh…",
      "the token: [removed:secret.assignment]… the token: [removed:secret.assignment]…",
    ],
  ])("%s", (text, clean) => {
    expect(masked(text).text).toBe(clean)
  })

  it.each([
    ...[
      "the token…",
      "password is wrong…",
      "http://localhost:80…",
      "a task-…",
      "sk-…",
      "Basic knowledge…",
      "… and more",
    ],
    ...["f(...rest)", "read a...b", "Nothing yet...", "{ token: string, ...more }"],
  ])("is not what is left of %s", (text) => {
    expect(masked(text).text).toBe(text)
  })
})

it("masks private keys, also those that break off", () => {
  const begin = join("-----BEGIN RSA ", "PRIVATE KEY-----")
  const end = join("-----END RSA ", "PRIVATE KEY-----")
  expect(masked(`a\n${begin}\nMIIE\n${end}\nb`).text).toBe("a\n[removed:secret.private-key]\nb")
  expect(masked(`a\n${begin}\nMIIE`).text).toBe("a\n[removed:secret.private-key]")
  const line = "MIIEpAIBAAKCAQEA7bq"
  for (const before of ["", "+", "-", " ", "12: ", "12:", "12|", "12-"]) {
    const shown = `x y\n${before}${line}\n${before}${line}==\n${before}${end}\nb`
    expect(masked(shown).text).toBe("x y\n[removed:secret.private-key]\nb")
  }
  expect(masked(join("-----BEGIN ", "PUBLIC KEY-----\nMIIE")).counts).toEqual({})
})

it("masks tokens of JSON, authorization and URLs", () => {
  const jwt = join("eyJhbGciOiJIUzI1NiJ9", ".eyJzdWIiOiIxMjM0In0", ".c2lnbmF0dXJl")
  expect(masked(`token ${jwt}.`).text).toBe("token [removed:secret.jwt].")
  expect(masked(`Authorization: Bearer ${letters}`).text).toBe("Authorization: Bearer [removed:secret.authorization]")
  expect(masked("postgres://ada:hunter2@db/x").text).toBe("postgres://ada:[removed:secret.url-password]@db/x")
  expect(masked("postgres://ada:hun@ter@db/x").text).toBe("postgres://ada:[removed:secret.url-password]@db/x")
  expect(masked(`https://${letters}@git.example`).text).toBe("https://[removed:secret.url-password]@git.example")
  expect(masked(`https://hooks.slack.com/services/T0/${letters}`).counts).toEqual({ "secret.webhook": 1 })
  const basic = "Authorization: Basic [removed:secret.authorization]"
  expect(masked("Authorization: Basic dXNlcjpw").text).toBe(basic)
  expect(masked('{\\"Authorization\\":\\"Bearer abcdef\\"}').text).toContain("Bearer [removed:")
  expect(masked("Cookie: sid=abcdef; b=1\nnext").text).toBe("Cookie: [removed:secret.authorization]\nnext")
})

it.each([
  ["ACME_API_KEY=abcdef123", "ACME_API_KEY=[removed:secret.assignment]"],
  ["export DB_PASSWORD='two words'", "export DB_PASSWORD='[removed:secret.assignment]'"],
  ['"client_secret": "abcdef123",', '"client_secret": "[removed:secret.assignment]",'],
  ['\\"apiKey\\": \\"abcdef123\\"', '\\"apiKey\\": \\"[removed:secret.assignment]\\"'],
  ['{\\\\\\"password\\\\\\": \\\\\\"abcdef', '{\\\\\\"password\\\\\\": \\\\\\"[removed:secret.assignment]'],
  ["<dbPassword>abcdef</dbPassword>", "<dbPassword>[removed:secret.assignment]</dbPassword>"],
  ["AccountKey=ab+/cd==;Suffix", "AccountKey=[removed:secret.assignment];Suffix"],
  ["MY_TOKEN: abcdef123", "MY_TOKEN: [removed:secret.assignment]"],
  ["PGPASSWORD=hunter psql", "PGPASSWORD=[removed:secret.assignment] psql"],
  ["export ACME_SECRET=hunter; echo y", "export ACME_SECRET=[removed:secret.assignment]; echo y"],
  ["(ACME_SECRET=hunter) && x", "(ACME_SECRET=[removed:secret.assignment]) && x"],
  ["ACME_SECRET=hun;ter;", "ACME_SECRET=[removed:secret.assignment];"],
  ["MYSQL_PWD=hunter", "MYSQL_PWD=[removed:secret.assignment]"],
  ["SECRET_KEY_BASE=0a1b2c3d", "SECRET_KEY_BASE=[removed:secret.assignment]"],
  ["db_password=hunter", "db_password=[removed:secret.assignment]"],
  ["spring.datasource.password=hunter", "spring.datasource.password=[removed:secret.assignment]"],
  ["  password: hunter2\n", "  password: [removed:secret.assignment]\n"],
  ["aws_secret_access_key = wJalr/Utn1", "aws_secret_access_key = [removed:secret.assignment]"],
  [
    "https://x.example/?a=1&access_token=abcdef&b=2",
    "https://x.example/?a=1&access_token=[removed:secret.assignment]&b=2",
  ],
  ["deploy --token 1a2b3c4d", "deploy --token [removed:secret.assignment]"],
  ["X-Api-Key: 1a2b3c4d", "X-Api-Key: [removed:secret.assignment]"],
  ["//packages.example/:_authToken=abcdef", "//packages.example/:_authToken=[removed:secret.assignment]"],
  ["curl -u ada:hunter https://x.example", "curl -u ada:[removed:secret.assignment] https://x.example"],
  ["machine x.example login ada password hunter", "machine x.example login ada password [removed:secret.assignment]"],
])("masks the value of %s", (text, clean) => {
  expect(masked(text)).toEqual({ text: clean, counts: { "secret.assignment": 1 } })
})

it.each([
  "const key = values.at(0)",
  "The key: press Enter to go on",
  "max_tokens: 4096",
  "token = next()",
  "token=readToken()",
  "password: string",
  "const token = value.token",
  "password=$PASSWORD",
  "the --token option",
  "docker run -u 1000:1000",
  "export PATH=/usr/bin:/bin",
  "OLDPWD=/srv/project",
  "https://example.com/home/about",
  "PRIMARY KEY (id)",
  "a-b-sk-short",
])("leaves %s alone", (text) => {
  expect(masked(text)).toEqual({ text, counts: {} })
})

it("masks what was masked no further", () => {
  const { text } = masked(`ACME_API_KEY=${join("sk-", letters)}`)
  expect(masked(text)).toEqual({ text, counts: {} })
})

it.each([
  "a",
  "_",
  "a_",
  "eyJ",
  "-----BEGIN ",
  "sk-",
  "://",
  "password ",
  "A_KEY_",
  "x_key:",
  "token=",
  "token: ",
  "--",
  "-u a",
  "login a ",
  "Cookie:",
  "Authorization, ",
  "mysql ",
  "curl -b ",
  "echo a",
  "A_KEY=",
  "A_KEY=\n",
  "A_KEY=abc",
  "A=1\nB_KEY=22\n",
  "password is ",
  "password: `",
  "password=a;",
  "ENV a",
  "token '",
  "abcdefghijklmnop\n",
  "-----END PRIVATE KEY-----\n",
  "+abcdefghijklmnop\n",
  "12: abcdefghijklmnop\n",
  "1234567\n1234567abcdefghi\n",
])("takes no longer for a text of %j than it is long", (piece) => {
  const time = (text: string) => {
    const start = process.cpuUsage()
    masked(text)
    const { user, system } = process.cpuUsage(start)
    return user + system
  }
  const plain = time("plain words ".repeat(40_000))
  // A pattern that looks back again and again takes thousands of times as long.
  expect(time(piece.repeat(480_000 / piece.length))).toBeLessThan(100 * plain)
})
