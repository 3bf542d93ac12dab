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
])("%s and %s: %s", async (pattern, path, expected) => {
  expect((await pathMatcher(pattern, "/srv/app"))(path)).toBe(expected)
})
