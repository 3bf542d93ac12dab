import { expect, it } from "vitest"
import { hidePasswords } from "./hide-passwords.ts"

it.each([
  ["postgres://me:secret@db/pawl", "postgres://me:…@db/pawl"],
  ["connect to postgres://me:p@ss:w/rd@db:5432/pawl failed", "connect to postgres://me:…@db:5432/pawl failed"],
  ["redis://:secret@db", "redis://:…@db"],
  ["npm:store#x+y://a:b@c?sslpassword=d&e=f", "npm:store#x+y://a:…@c?sslpassword=…&e=f"],
  ["postgres://db/pawl?password=secret", "postgres://db/pawl?password=…"],
])("hides what a URL keeps secret: %s", (text, shown) => {
  expect(hidePasswords(text)).toBe(shown)
})

it.each(["postgres://me@db:5432/pawl", "sqlite:/home/me/pawl.db", "see http://127.0.0.1:80/x", "mail me@there"])(
  "leaves other text alone: %s",
  (text) => {
    expect(hidePasswords(text)).toBe(text)
  },
)

it.each(["a.", "a://b:", "?a", "a@"])("takes time by the length of a text of many %s", (piece) => {
  const [short, long] = [1000, 20_000].map((count) => {
    const text = piece.repeat(count)
    const start = process.cpuUsage()
    for (let times = 0; times < 20_000 / count; times++) hidePasswords(text)
    const { user, system } = process.cpuUsage(start)
    return user + system
  }) as [number, number]
  expect(long).toBeLessThan(10 * short + 50_000)
})
