import assert from "node:assert/strict"
import { test } from "node:test"
import { dishLine } from "../src/index.js"

test("fills the line with dots", () => {
  assert.equal(dishLine("Flan", 4.5, 16), "Flan ...... 4.50")
})

test("keeps the price when the name is long", () => {
  assert.equal(dishLine("Grandmother's apple pie", 6, 20), "Grandmother's…  6.00")
})
