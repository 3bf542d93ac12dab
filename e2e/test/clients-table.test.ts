import { expect, it } from "vitest"
import { readArguments } from "../../scripts/clients/arguments.ts"
import { type ClientRow, noCells } from "../../scripts/clients/features.ts"
import type { Outcome } from "../../scripts/clients/play.ts"
import { counts, table } from "../../scripts/clients/table.ts"

const rows: readonly ClientRow[] = ["one", "two"].map((name) => ({ name, title: `\`${name}\``, cells: noCells("-") }))

const outcomes: readonly Outcome[] = [
  { client: "one", feature: "boot", outcome: "works", ms: 5 },
  { client: "one", feature: "prompt", outcome: "fails", reason: "Missing: an answer", ms: 5 },
  { client: "one", feature: "list", outcome: "none", reason: "It has no list." },
  { client: "two", feature: "list", outcome: "none", reason: "It has no list." },
  { client: "two", feature: "undo", outcome: "none", reason: "It has no undo." },
]

it("shows what works, what fails, and each reason once", () => {
  expect(table(rows, outcomes).split("\n")).toEqual([
    "| client | boot | prompt | stream | permission | abort | reconnect | list | undo | attach | auth |",
    "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    "| `one` | ✓ | ✗ |  |  |  |  | 1 |  |  |  |",
    "| `two` |  |  |  |  |  |  | 1 | 2 |  |  |",
    "",
    "1. It has no list.",
    "2. It has no undo.",
  ])
  expect(counts(outcomes)).toBe("1 cells pass, 1 fail, and 3 cannot be played, for the reasons above.")
})

it("chooses all cells, those of a client, or one", () => {
  const names = ["one", "two"]
  const cells = (...args: string[]) => readArguments(args, names).cells

  expect(cells()).toEqual([{ client: "one" }, { client: "two" }])
  expect(cells("--only", "two", "--only", "one:undo")).toEqual([{ client: "two" }, { client: "one", feature: "undo" }])
  expect(() => cells("--only", "three")).toThrow('unknown client "three". Clients: one, two.')
  expect(() => cells("--only", "one:fly")).toThrow('unknown feature "fly".')
})
