import { expect, it } from "vitest"
import { argvFor, isMeantFor, takesFile } from "./configured-program.ts"

it.each([
  ["/w/a.ts", [".ts"], true],
  ["/w/a.TS", ["ts"], true],
  ["/w/a.d.ts", [".d.ts"], true],
  ["/w/a.mts", [".ts"], false],
  ["/w/.ts", [".ts"], false],
  ["/w/a.ts/b", [".ts"], false],
  ["/w/a", [], true],
])("tells by the name whether %s is one of %j", (path, extensions, isMeant) => {
  expect(isMeantFor({ extensions }, path)).toBe(isMeant)
})

it("puts the path into arguments as it is, and never in the program's place", () => {
  const path = "/w/$& $(touch HIT)\n-rf"
  expect(argvFor({ command: ["$FILE", "--in=$FILE", "$FILE", "$FILES", "$OTHER"] }, path)).toEqual([
    "$FILE",
    `--in=${path}`,
    path,
    `${path}S`,
    "$OTHER",
  ])
  expect([takesFile({ command: ["$FILE", "a"] }), takesFile({ command: ["a", "x=$FILE"] })]).toEqual([false, true])
})
