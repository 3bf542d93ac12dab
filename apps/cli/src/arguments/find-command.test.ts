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
  { given: ["rnu"], says: '"rnu" is no command. Did you mean "run"?' },
  { given: ["sesion", "list"], says: 'Did you mean "session"?' },
  { given: ["session"], says: "Which one of: session list, session show, " },
  { given: ["session", "--all"], says: "Which one of: session list, session show, " },
  { given: ["session", "lst"], says: '"session lst" is no command. Did you mean "session list"?' },
  { given: ["fix the bug"], says: '"fix the bug" is no command.' },
  { given: ["-m", "a/b", "x"], says: '"-m" is no command.' },
  { given: ["--colour", "never"], says: '"--colour" is no option. Did you mean --color?' },
  { given: ["--json"], says: "What is to be done? --json is for a command." },
  { given: ["-q", "--color=never"], says: "What is to be done? -q is for a command." },
  { given: ["--log-level=debug"], says: "What is to be done? --log-level is for a command." },
  { given: [""], says: '"" is no command.' },
])("finds nothing in $given, and says so", ({ given, says }) => {
  expect(() => findCommand(commands, given)).toThrow(says)
})
