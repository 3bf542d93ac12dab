import { expect, it } from "vitest"
import { commands } from "../command-table.ts"
import { findCommand } from "./find-command.ts"

it.each([
  { given: ["run", "x"], name: "run", rest: ["x"] },
  { given: ["session", "list", "-a"], name: "session list", rest: ["-a"] },
  { given: ["session", "show"], name: "session show", rest: [] },
  { given: ["run", "list"], name: "run", rest: ["list"] },
  { given: ["session", "delete", "a"], name: "session remove", rest: ["a"] },
  { given: ["session", "search", "a"], name: "search", rest: ["a"] },
  { given: ["export", "a"], name: "session export", rest: ["a"] },
])("finds $name in $given", ({ given, name, rest }) => {
  const found = findCommand(commands, given)

  expect({ name: found.command.name, rest: found.rest }).toEqual({ name, rest })
})

it.each([
  { given: ["rnu"], says: 'unknown command "rnu"; did you mean "run"?' },
  { given: ["sesion", "list"], says: 'did you mean "session"?' },
  { given: ["session"], says: "pawl session requires a subcommand: list, show, " },
  { given: ["session", "--all"], says: "pawl session requires a subcommand: list, show, " },
  { given: ["session", "lst"], says: 'unknown command "session lst"; did you mean "session list"?' },
  { given: ["fix the bug"], says: 'unknown command "fix the bug"' },
  { given: ["-m", "a/b", "x"], says: "unknown option -m" },
  { given: ["--colour", "never"], says: "unknown option --colour; did you mean --color?" },
  { given: ["--json"], says: "missing command after --json" },
  { given: ["-q", "--color=never"], says: "missing command after -q" },
  { given: ["--log-level=debug"], says: "missing command after --log-level" },
  { given: [""], says: 'unknown command ""' },
])("finds nothing in $given, and says so", ({ given, says }) => {
  expect(() => findCommand(commands, given)).toThrow(says)
})
