import { describe, expect, it } from "vitest"
import { capturedOutput } from "../../test/host.ts"
import { commands } from "../command-table.ts"
import { exitCodes } from "../exit-code.ts"
import { columnsOf } from "@pawl/terminal-text/width"
import { showHelp } from "./show-help.ts"

const widths = [40, 60, 80, 120]

async function helpOf(
  words: readonly string[],
  columns = 80,
  environment: Record<string, string> = {},
): Promise<string> {
  const output = capturedOutput({ columns, isTerminal: true })
  await showHelp(commands, words, output, { NO_COLOR: "1", ...environment })
  return output.text()
}

describe.each(commands)("the help of $name", ({ name, summary, load }) => {
  it("has its summary, a form to type and every option with its summary", async () => {
    const [text, { command }] = await Promise.all([helpOf(name.split(" ")), load()])

    expect(text.replaceAll(/\s+/g, " ")).toContain(summary)
    expect(text).toContain(`  pawl ${name}`)
    for (const [option, { short, summary: meaning, value, isOptional }] of Object.entries(command.options)) {
      const given = value && (isOptional ? String.raw`\[=${value}\]` : ` ${value}`)
      expect(text).toMatch(
        new RegExp(
          `${short ? `-${short}, ` : "    "}--${option}${given ?? ""} .*${meaning.slice(0, 12).replaceAll(/[()]/g, String.raw`\$&`)}`,
        ),
      )
    }
    expect(text).toContain("-h, --help")
  })

  it("explains every exit code that the command can return, and no other", async () => {
    const text = await helpOf(name.split(" "))

    const listed = Object.values(exitCodes).filter((code) => new RegExp(`^  ${code} +\\S`, "m").test(text))
    const { refused, limited, ...common } = exitCodes
    const own = name === "run" ? [refused, limited] : name === "permissions why" ? [refused] : []
    expect(new Set(listed)).toEqual(new Set([...Object.values(common), ...own]))
  })
})

it("lists every command in the overview, and the variables that pawl reads", async () => {
  const text = await helpOf([])

  for (const { name, summary } of commands) expect(text).toMatch(new RegExp(`  ${name} +${summary.slice(0, 20)}`))
  const variables = [
    "MODEL",
    "BASE_URL",
    "API_KEY",
    "STORAGE",
    "DATA_DIR",
    "CONFIG_DIR",
    "CONFIG",
    "CONFIG_CONTENT",
    "DEBUG",
  ]
  for (const name of variables) expect(text).toContain(`  PAWL_${name}`)
  expect(text).toContain("OPENAI_API_KEY")
  expect(text).toContain("--version")
})

it("lists the commands of a group", async () => {
  const text = await helpOf(["session"])

  expect(text).toContain("pawl session <command>")
  expect(text).toMatch(/ {2}session list .*\n {2}session show /)
  expect(text).not.toContain("  run ")
})

it("suggests a command for an unknown word", async () => {
  await expect(helpOf(["rnu"])).rejects.toThrow('did you mean "run"?')
})

it.each(widths)("keeps to %i columns", async (columns) => {
  for (const { name } of commands) {
    const lines = (await helpOf(name.split(" "), columns)).split("\n")
    // Commands to copy are never broken.
    const tooLong = lines.filter((line) => columnsOf(line) > columns && !/^ {2}\S+ .*pawl|^ {2}pawl /.test(line))
    expect(tooLong).toEqual([])
  }
  const overview = (await helpOf([], columns)).split("\n")
  expect(overview.filter((line) => columnsOf(line) > columns)).toEqual([])
})

it("is coloured on a terminal, and plain where colours are not wanted", async () => {
  expect(await helpOf([], 80, { NO_COLOR: "" })).toContain("\u001B[1mUsage\u001B[22m")
  expect(await helpOf([], 80)).not.toContain("\u001B")
})
