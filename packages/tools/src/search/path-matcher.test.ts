import { expect, it } from "vitest"
import { pathMatcher } from "./path-matcher.ts"

it.each([
  ["*.ts", "a.ts", true],
  ["*.ts", "src/deep/a.ts", true],
  ["*.{ts,js}", "src/a.js", true],
  [".env*", "app/.env.local", true],
  ["*.ts", "src/.hidden.ts", true],
  ["src/*.ts", "src/a.ts", true],
  ["src/*.ts", "lib/src/a.ts", false],
  ["src/*.ts", "src/deep/a.ts", false],
  ["src/**/*.ts", "src/a.ts", true],
  ["src/**/*.ts", "src/.deep/a.ts", true],
  ["./src/*.ts", "src/a.ts", true],
  ["/srv/app/src/*.ts", "src/a.ts", true],
  ["/elsewhere/src/*.ts", "src/a.ts", false],
  ["caf\u00e9.txt", "cafe\u0301.txt", true],
  ["**/*", "a.ts", true],
  ["a[1].txt", "a1.txt", true],
  ["a\\[1].txt", "a[1].txt", true],
  ["a[!1].txt", "a1.txt", false],
  ["a[^b-d].txt", "ae.txt", true],
  ["a[]x].txt", "a].txt", true],
  ["[id.ts", "[id.ts", true],
  ["app/(auth)/*.ts", "app/(auth)/a.ts", true],
  ["*.{spec,{unit,e2e}.test}.ts", "a.e2e.test.ts", true],
  ["*.{,d.}ts", "a.d.ts", true],
  ["{a}.ts", "a.ts", false],
  ["{a}.ts", "{a}.ts", true],
  ["v{9..11}.md", "v10.md", true],
  ["v{9..11}.md", "v12.md", false],
  ["\\{a,b}", "{a,b}", true],
  ["**/test/**/*.ts", "test/a.ts", true],
  ["**/test/**/*.ts", "src/test/deep/deeper/a.ts", true],
  ["**/test/**/*.ts", "src/tests/a.ts", false],
  ["src/**", "src/deep/a.ts", true],
  ["src/**", "src", false],
  ["**", "src/a.ts", true],
  ["?.ts", "\u{1F600}.ts", true],
  ["?.ts", "ab.ts", false],
  ["*a*b*c", "xaxbxc", true],
  ["*a*b*c", "xaxcxb", false],
  ["!*.test.ts", "src/a.test.ts", false],
  ["!*.test.ts", "src/a.ts", true],
  ["", "a", false],
])("%s and %s: %s", (pattern, path, expected) => {
  expect(pathMatcher(pattern, "/srv/app")(path)).toBe(expected)
})

it.each(["+(a|b)", "src/!(a).ts", "@(a|b)", "x".repeat(4097), "{a,b}".repeat(20), "{1..100000}"])(
  "says what is wrong with %s",
  (pattern) => {
    expect(() => pathMatcher(pattern, "/srv/app")).toThrow(/^The pattern.*(Use a|write \{a,b\})/)
  },
)

it("takes no longer where a pattern fits almost, however many places take any number of characters", () => {
  const path = Array.from({ length: 15 }, () => "a".repeat(255)).join("/")
  const time = (pattern: string) => {
    const matches = pathMatcher(pattern, "/srv/app")
    const start = process.cpuUsage()
    for (let round = 0; round < 20; round++) expect(matches(path)).toBe(false)
    const { user, system } = process.cpuUsage(start)
    return user + system
  }
  const few = time("**/*a*b")
  // Tried by turns, each further star would take 255 times as long.
  expect(time("**/*a*a*a*a*a*a*a*a*b")).toBeLessThan(100 * few)
  expect(time(`${"**/*a*a*a/".repeat(4)}*b`)).toBeLessThan(100 * few)
})
