import assert from "node:assert/strict"
import { test } from "node:test"
import { truncate } from "../src/index.js"

test("leaves a text alone that fits", () => {
  assert.equal(truncate("flan", 4), "flan")
})

test("counts what looks like one character as one", () => {
  assert.equal(truncate("For 👩‍👩‍👧‍👦 and friends", 6), "For 👩‍👩‍👧‍👦…")
})
