import { expect, it } from "vitest"
import { sessionOf } from "../test/parts.ts"
import { sessionTable } from "./session-table.ts"
import { createTheme } from "./theme.ts"
import { columnsOf } from "./width.ts"

const sessions = [
  sessionOf({ id: "ses_2", title: "日本語の題", directory: "/srv/deep/down" }),
  sessionOf({ id: "ses_1", title: "Fix\n\u001B[31mthe sum", time: { created: 0, updated: 0 } }),
]
const layout = { columns: 80, theme: createTheme(false), now: 5 * 60_000, hasDirectories: false }

it("has a line for each session", () => {
  expect(sessionTable(sessions, layout)).toEqual(["ses_2  5 min ago  日本語の題", "ses_1  5 min ago  Fix the sum"])
})

it("puts directories below each other", () => {
  expect(sessionTable(sessions, { ...layout, hasDirectories: true })).toEqual([
    "ses_2  5 min ago  日本語の題   /srv/deep/down",
    "ses_1  5 min ago  Fix the sum  /srv",
  ])
})

it("keeps ids whole and lines within the columns", () => {
  const lines = sessionTable(sessions, { ...layout, columns: 27, hasDirectories: true })

  expect(lines).toEqual(["ses_2  5 min ago  日本語の…", "ses_1  5 min ago  Fix the …"])
  for (const line of lines) expect(columnsOf(line)).toBeLessThanOrEqual(27)
})

it("gives titles lines of their own where ids leave no room", () => {
  const long = sessions.map((session) => ({ ...session, id: `${session.id}${"0".repeat(25)}` as const }))
  const [id, rest, ...others] = sessionTable(long, { ...layout, columns: 40, hasDirectories: true })

  expect([id, rest]).toEqual([`ses_2${"0".repeat(25)}`, "  5 min ago  日本語の題"])
  expect(others).toHaveLength(2)
})

it.each([
  [90, "ses_1  now  A title of some length  /home/ann/code/projects/app"],
  [56, "ses_1  now  A title of some length  …n/code/projects/app"],
  [44, "ses_1  now  A title of some…  …/projects/app"],
  [34, "ses_1  now  A title of some length"],
])("shares %i columns between titles and the ends of directories", (columns, line) => {
  const session = sessionOf({ id: "ses_1", title: "A title of some length", directory: "/home/ann/code/projects/app" })

  expect(sessionTable([session], { ...layout, columns, now: session.time.updated, hasDirectories: true })).toEqual([
    line,
  ])
})

it("cuts nothing where there is no width to keep to", () => {
  const [line] = sessionTable([sessionOf({ title: "x".repeat(500) })], { ...layout, columns: Infinity })

  expect(line).toContain("x".repeat(500))
})
