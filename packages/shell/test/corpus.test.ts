import { parse } from "unbash"
import { expect, it } from "vitest"
import { bypasses, everyday } from "@pawl/shell-corpus"
import { createShellReader, type ShellReading } from "../src/index.ts"
import { unmet } from "./unmet.ts"

const { read } = await createShellReader()

it("sees through every bypass of the corpus, or says that it does not", () => {
  expect(unmet(read, bypasses)).toEqual([])
})

it("raises hardly any alarm over everyday commands", () => {
  expect(unmet(read, everyday, true).map(({ command }) => command)).toEqual([
    "rg -l 'useEffect' src | xargs rg -c 'useState'",
    'sed -i "s|__VERSION__|$(git describe --tags)|" src/version.ts',
    'rm -rf "$BUILD_DIR"/*',
    'cat "$CONFIG_FILE"',
  ])
})

it("is measured on many different strings", () => {
  const commands = [...bypasses, ...everyday].map(({ command }) => command)
  expect(new Set(commands).size).toBe(commands.length)
  expect(bypasses.length).toBeGreaterThanOrEqual(500)
  expect(everyday.length).toBeGreaterThanOrEqual(223)
})

/** A reading of the commands that are written at the top alone. */
function readTop(command: string): ShellReading {
  const top = parse(command).commands.map((statement) => command.slice(statement.pos, statement.end))
  const all = top.flatMap((text) => read(text).commands.filter((one) => text.startsWith(one.text)))
  return {
    commands: all,
    redirects: [],
    patterns: [],
    named: [],
    made: [],
    directories: [],
    assignments: [],
    unclear: read(command).unclear,
  }
}

it.each([
  { weakness: "sees no commands within others", weaken: readTop, atLeast: 100 },
  {
    weakness: "does not look into wrappers",
    weaken: (command: string) => {
      const reading = read(command)
      return { ...reading, commands: reading.commands.filter(({ via }) => via === undefined) }
    },
    atLeast: 100,
  },
  { weakness: "is never in doubt", weaken: (command: string) => ({ ...read(command), unclear: [] }), atLeast: 150 },
  {
    weakness: "takes words as they are written",
    weaken: (command: string) => {
      const written = command.split(/[;&|\n]+/).map((part) => part.trim())
      const reading = read(command)
      return { ...reading, commands: reading.commands.filter(({ text }) => written.includes(text)) }
    },
    atLeast: 150,
  },
])("fails on the corpus where it $weakness", ({ weaken, atLeast }) => {
  expect(unmet(weaken, bypasses).length).toBeGreaterThan(atLeast)
})
