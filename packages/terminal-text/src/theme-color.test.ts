import { expect, it } from "vitest"
import { createTheme } from "@pawl/terminal-text/theme"

it.each([
  ["#ff0000", 196],
  ["#F00", 196],
  ["#000000", 16],
  ["white", 231],
  ["Red", 167],
  ["accent", 141],
])("shows %s as the nearest of the 256 that terminals have", (color, index) => {
  expect(createTheme(true).inColor(color, "plan")).toBe(`\u001b[38;5;${index}mplan\u001b[39m`)
})

it("changes nothing without color, and for what is no color", () => {
  expect(createTheme(false).inColor("red", "plan")).toBe("plan")
  expect(createTheme(true).inColor(undefined, "plan")).toBe("plan")
  expect(createTheme(true).inColor("nocolor", "plan")).toBe("plan")
})
