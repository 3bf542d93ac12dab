import { expect, it } from "vitest"
import { fromName, isShortenedName, toName } from "./record-name.ts"

const odd = [
  "",
  ".",
  "..",
  "../x",
  "a/b",
  "a\\b",
  "a\0b",
  "con",
  "NUL",
  "a b",
  "a.",
  "ü",
  "\ud800",
  "A",
  "a",
  "%0020",
  "~",
  "a~1",
  "ses_a%",
  "msg_aB",
  "msg_Ab",
  "msg_AB",
  "msg_ab",
]

it("leaves the ids that pawl makes, and what is written small, as they are", () => {
  for (const id of ["ses_01JZ5A", "msg_000001", "prt_7ZZ", "project", "4b825dc642cb6eb9", "global"])
    expect(toName(id)).toBe(id)
})

it("finds each id again by its name, and no other name for it", () => {
  for (const id of odd) {
    const name = toName(id)
    expect(fromName(name)).toBe(id)
    for (const other of [
      `${name}~`,
      `${name}.`,
      ` ${name}`,
      name.toUpperCase() === name ? `${name}x~~` : name.toUpperCase(),
    ]) {
      expect(fromName(other)).not.toBe(id)
    }
  }
})

it("makes names that no system takes for something else", () => {
  const names = odd.map(toName)
  for (const name of names) expect(name).toMatch(/^[A-Za-z0-9_%~-]+$/)
  expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(odd.length)
})

it("shortens an id that is too long, each to a name of its own", () => {
  const names = ["x", "y"].map((end) => toName(`msg_${"A".repeat(300)}${end}`))
  for (const name of names) {
    expect(name.length).toBeLessThanOrEqual(200)
    expect(isShortenedName(name)).toBe(true)
    expect(fromName(name)).toBeUndefined()
  }
  expect(new Set(names).size).toBe(2)
})
