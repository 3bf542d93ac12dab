import { expect, it } from "vitest"
import { readAttempts } from "./attempt.ts"

const begin = (number: number) => JSON.stringify({ begin: number, operation: { type: "blob", id: `${number}` } })
const end = (number: number) => JSON.stringify({ end: number, outcome: { type: "done" } })

it("reads attempts in the order they were begun, open until their end is written", () => {
  const { attempts } = readAttempts(`${begin(1)}\n${begin(2)}\n${end(2)}\n`)
  expect(attempts.map(({ number, outcome }) => [number, outcome.type])).toEqual([
    [1, "open"],
    [2, "done"],
  ])
})

it("takes a line that breaks off for one that was never written", () => {
  const { attempts } = readAttempts(`${begin(1)}\n${end(1).slice(0, 9)}`)
  expect(attempts.map(({ outcome }) => outcome.type)).toEqual(["open"])
})
