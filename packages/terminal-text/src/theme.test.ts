import { expect, it } from "vitest"
import { createTheme, wantsColour } from "./theme.ts"

it.each<[environment: Record<string, string>, isTerminal: boolean, wanted: boolean]>([
  [{}, true, true],
  [{}, false, false],
  [{ NO_COLOR: "1" }, true, false],
  [{ NO_COLOR: "" }, true, true],
  [{ TERM: "dumb" }, true, false],
  [{ FORCE_COLOR: "1" }, false, true],
  [{ FORCE_COLOR: "" }, false, true],
  [{ FORCE_COLOR: "0" }, true, false],
  [{ FORCE_COLOR: "false" }, true, false],
  [{ FORCE_COLOR: "1", NO_COLOR: "1" }, false, true],
])("with %j on a terminal: %s, colours are wanted: %s", (environment, isTerminal, wanted) => {
  expect(wantsColour(environment, isTerminal)).toBe(wanted)
})

it("gives texts back as they are without colours", () => {
  const { inColor: _, ...styles } = createTheme(false)
  expect(Object.values(styles).map((style) => style("x"))).toEqual(Array.from({ length: 8 }, () => "x"))
})
