import { describe, expect, it } from "vitest"
import { commandGroups } from "../src/arguments/command.ts"
import { findCommand } from "../src/arguments/find-command.ts"
import { generalOptions, nameFirst } from "../src/arguments/general.ts"
import { commandHelp, overviewHelp, shortHelp } from "../src/arguments/help.ts"
import { parseArguments } from "../src/arguments/parse.ts"
import { commands } from "../src/command-table.ts"
import { splitLine } from "../src/completion/split-line.ts"
import { createTheme } from "@pawl/terminal-text/theme"
import { columnsOf } from "@pawl/terminal-text/width"

async function helpTexts(columns: number): Promise<readonly string[]> {
  const layout = { columns, theme: createTheme(false) }
  const own = commands.map(
    async (row) => `# pawl ${row.name} --help\n\n${commandHelp((await row.load()).command, row, layout)}`,
  )
  const short = `# pawl\n\n${shortHelp(commands, layout)}`
  return [short, `# pawl --help\n\n${overviewHelp(commands, layout)}`, ...(await Promise.all(own))]
}

// `vitest run test/help-texts.test.ts -u` writes the file again.
it("prints these help texts at 80 columns", async () => {
  await expect((await helpTexts(80)).join("\n")).toMatchFileSnapshot("golden/help-80.txt")
})

it("has the same text at 40 columns as at 200, in the same order", async () => {
  const [narrow, wide] = await Promise.all([helpTexts(40), helpTexts(200)])
  const withoutSpaces = (text: string) => text.replaceAll(/\s+/g, "")

  expect(narrow.map(withoutSpaces)).toEqual(wide.map(withoutSpaces))
})

it("lists eight commands in the short help, and every command once in the overview, by group", async () => {
  const [short = "", overview = ""] = await helpTexts(80)
  const listed = (text: string) => commands.filter(({ name }) => new RegExp(`^  ${name} {2,}`, "m").test(text))

  expect(listed(short).map(({ name }) => name)).toEqual([
    ...["run", "demo", "session list", "undo", "models", "auth login", "trust", "doctor"],
  ])
  expect(listed(overview)).toEqual(commands)
  for (const group of commandGroups) {
    const section = overview.split("\n\n").find((block) => block.startsWith(`${group}\n`)) ?? ""
    expect(listed(section)).toEqual(commands.filter((each) => each.group === group))
  }
})

it("has summaries of at most 60 characters for commands", () => {
  expect(commands.filter(({ summary }) => summary.length > 60)).toEqual([])
})

it.each([40, 80, 100, 200])(
  "has no line that is wider than %i columns, but for what is there to be copied",
  async (columns) => {
    const lines = (await helpTexts(columns)).flatMap((text) => text.split("\n"))
    const wide = lines.filter((line) => columnsOf(line) > columns && !/^#|^ {2}\S.*pawl|^ {2}pawl |^ *\S+$/.test(line))

    expect(wide).toEqual([])
  },
)

describe.each(commands)("the examples of $name", ({ name, load }) => {
  it("are there, and can be typed so", async () => {
    const { examples } = (await load()).command
    expect(examples.length).toBeGreaterThan(0)
    const lines = examples.flatMap(([written]) => calls(written))
    expect(lines.length).toBeGreaterThan(0)
    for (const line of lines) {
      const { command: row, rest } = findCommand(commands, nameFirst(splitLine(`${line} `).slice(0, -1)))
      const { command } = await row.load()
      expect(() => parseArguments({ ...command, name: row.name }, rest)).not.toThrow()
    }
    expect(lines.some((line) => line.includes(name.split(" ")[0] ?? ""))).toBe(true)
  })

  it("say nothing of options that every command has", async () => {
    const { options } = (await load()).command

    for (const option of Object.keys(generalOptions)) expect(options).not.toHaveProperty([option])
  })
})

/** What stands behind `pawl` in a line for a shell, each time. */
function calls(line: string): readonly string[] {
  const words = String.raw`(?:"(?:[^"\\]|\\.)*"|'[^']*'|[^\s"'|>&()])+`
  return [...line.matchAll(new RegExp(String.raw`(?:^|[\s(])pawl((?:\s+${words})+)`, "g"))].map(([, rest = ""]) =>
    rest.trim(),
  )
}
