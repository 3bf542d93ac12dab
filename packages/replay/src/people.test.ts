import { expect, it } from "vitest"
import { createPeopleMask, userNames } from "./people.ts"

it("puts the same stand-in for the same address, and leaves those that are nobody's", () => {
  const mask = createPeopleMask([], () => undefined)

  expect(mask("Ada@x.org, bob@y.co.uk, ada@x.org; demo@example.com @decorator a@b")).toBe(
    "person1@example.invalid, person2@example.invalid, person1@example.invalid; demo@example.com @decorator a@b",
  )
})

it("puts user for names of users as whole words, and counts them", () => {
  const found: string[] = []
  const mask = createPeopleMask(["ada"], (kind) => found.push(kind))

  expect(mask("-rw-r--r-- ada staff adapter /srv/ada/x")).toBe("-rw-r--r-- user staff adapter /srv/user/x")
  expect(found).toEqual(["user", "user"])
})

it("knows users from the paths of their homes, but nobody by a common name", () => {
  expect(userNames(["/home/lovelace/work", String.raw`C:\Users\grace`, "/home/runner/x"])).toEqual(
    expect.arrayContaining(["lovelace", "grace"]),
  )
  expect(userNames(["/home/runner/x"])).not.toContain("runner")
})
