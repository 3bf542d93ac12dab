import { describe, expect, it } from "vitest"
import { commands } from "../src/command-table.ts"
import { generalOptions } from "../src/arguments/general.ts"
import { desk } from "./in-process.ts"

const rows = await Promise.all(
  commands.map(async ({ name, load }) => ({ name, options: (await load()).command.options })),
)
const given = rows.flatMap(({ name, options }) => {
  return Object.entries({ ...generalOptions, ...options }).flatMap(([option, spec]) => {
    const { short, value } = spec as { readonly short?: string; readonly value?: string }
    if (value === undefined) return []
    const longest = [["--" + option, ""], [`--${option}=`]]
    return [...longest, ...(short === undefined ? [] : [[`-${short}`, ""]])].map((args) => ({ name, option, args }))
  })
})

describe("an option whose value is empty", () => {
  it("is in the table of every command", () => expect(given.length).toBeGreaterThan(150))

  it.each(commands.map(({ name }) => name))(
    "is refused by %s, by its name, before anything is done",
    async (command) => {
      const { pawl } = await desk()
      for (const { name, args } of given.filter((each) => each.name === command)) {
        // Its value may be left out, but not empty.
        const { code, stdout, stderr } = await pawl(...name.split(" "), ...args)
        expect({ name, args, code, stdout }).toEqual({ name, args, code: 2, stdout: "" })
        const [written = ""] = args
        expect(stderr).toMatch(
          new RegExp(
            `${written.replace("=", "")} requires a value|unexpected argument ""|is (?:missing|empty)|^pawl: missing `,
          ),
        )
        expect(stderr).not.toMatch(/^\s+at /m)
      }
    },
  )
})

const READS_STDIN: ReadonlySet<string> = new Set(["mcp serve", "auth login"])

describe("an empty word", () => {
  it.each(commands.map(({ name }) => name).filter((name) => !READS_STDIN.has(name)))(
    "does not break %s",
    async (name) => {
      const { pawl } = await desk()
      const { code, stderr } = await pawl(...name.split(" "), "")

      expect([0, 1, 2]).toContain(code)
      expect(stderr).not.toMatch(/^\s+at |TypeError|undefined/m)
    },
  )
})
