import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { beforeEach, describe, expect, it } from "vitest"
import { CTRL_C, inTerminal, terminalHome, type TerminalProgram } from "./terminal.ts"
import { built } from "./workplace.ts"

const ANSWER =
  "The kettle is on the stove, and 東京の天気は晴れです。 The café opens at nine 🚀 with naïve résumés, ünïcödé and 한국어 텍스트.\n\n" +
  "- a first point that is long enough to need more than one line on most terminals\n- a second one\n\n" +
  "```\nconst kept = 'a line of code that is left as it is'\n```\n"

let project: string
let environment: Record<string, string>

beforeEach(async () => {
  ;({ project, environment } = await terminalHome())
})

interface Played {
  readonly columns?: number
  readonly more?: Record<string, string>
  readonly args?: readonly string[]
  /** In front of the command line, such as a shell. */
  readonly prefix?: readonly string[]
}

async function play(
  replies: readonly object[],
  { columns, more, args = [], prefix = [] }: Played = {},
): Promise<TerminalProgram> {
  const script = join(project, "script.jsonl")
  await writeFile(script, replies.map((reply) => JSON.stringify(reply)).join("\n"))
  return inTerminal([...prefix, ...built, "run", "--script", script, ...args, "say it"], {
    ...(columns === undefined ? {} : { columns }),
    ...{ directory: project, environment: { ...environment, ...more } },
  })
}

const ESCAPE = "\u001B"
const COLOUR = new RegExp(`${ESCAPE}\\[[0-9;]*m`)

describe("pawl run in a terminal", () => {
  it.each([20, 40, 80, 200])("keeps to %i columns, wide characters and all", async (columns) => {
    const bash = { tool: "bash", input: { command: "echo a rather long command line that has to be shortened here" } }
    const terminal = await play([{ reply: [bash] }, { text: ANSWER }], { columns })

    expect(await terminal.ended).toEqual({ code: 0 })
    const shown = terminal.lines()
    // Code, commands to copy and words that are wider than the line may be broken by the terminal, which keeps them whole.
    const broken = shown.flatMap(({ isWrapped }, at) => (isWrapped ? [at] : []))
    for (const at of broken) {
      const first = shown.slice(0, at).findLast(({ isWrapped }) => !isWrapped)?.text ?? ""
      expect(first).toMatch(/^const kept|^go on: |^session |^in |^ *\S+$/)
    }
    expect(terminal.text().replaceAll(/\s+/g, "")).toContain("東京の天気は晴れです。Thecaféopensatnine")
    expect(terminal.text()).not.toContain("�")
  })

  it("has colours, and none of them alone tells something: the same words stand there without", async () => {
    const coloured = await play([{ text: "Done." }])
    await coloured.ended
    const shown = coloured.text()
    expect(coloured.raw()).toMatch(COLOUR)

    for (const [more, args] of [
      [{ NO_COLOR: "1" }, []],
      [{ CLICOLOR: "0" }, []],
      [{}, ["--color", "never"]],
    ] as const) {
      const plain = await play([{ text: "Done." }], { more, args })
      await plain.ended
      expect(plain.raw()).not.toMatch(COLOUR)
      expect(plain.text().split("\n")[0]).toBe(shown.split("\n")[0])
    }
  })

  it("uses only colours that a dark and a light background both show", async () => {
    const terminal = await play([{ reply: [{ tool: "bash", input: { command: "exit 3" } }] }, { text: "Done." }])
    await terminal.ended

    const used = new Set(
      [...terminal.raw().matchAll(new RegExp(`${ESCAPE}\\[([0-9;]+)m`, "g"))].flatMap(([, codes = ""]) =>
        codes.split(";"),
      ),
    )
    // Bold, dim, and the terminal's own red, green, yellow and cyan: no black, no white, no background, no fixed shade.
    expect([...used].filter((code) => !["0", "1", "2", "22", "31", "32", "33", "36", "39"].includes(code))).toEqual([])
  })

  it("sends nothing to a dumb terminal that it would not understand", async () => {
    const terminal = await play([{ reply: [{ wait: 300 }, { text: "Done." }] }], { more: { TERM: "dumb" } })

    expect(await terminal.ended).toEqual({ code: 0 })
    expect(terminal.raw()).not.toContain("\u001B")
    expect(terminal.text()).toContain("Done.")
  })

  it("breaks lines for the size that the terminal has by then", async () => {
    const words = Array.from({ length: 60 }, (_, at) => `word${at}`).join(" ")
    const terminal = await play([{ reply: [{ text: `${words} middle\n\n` }, { wait: 700 }, { text: `${words} end` }] }])

    await terminal.shows("middle")
    terminal.resize(40)
    expect(await terminal.ended).toEqual({ code: 0 })

    const after = terminal.text().split("middle")[1] ?? ""
    const widths = after.split("\n").map((line) => line.length)
    expect(Math.max(...widths)).toBeLessThanOrEqual(40)
    expect(after.split("\n").filter((line) => line.length > 30).length).toBeGreaterThan(5)
    // Broken between words, not by the terminal.
    const late = terminal.lines().slice(-12)
    expect(late.some(({ text, isWrapped }) => isWrapped && /word/.test(text))).toBe(false)
  })

  it("ends at Ctrl-C, and leaves the terminal as it was", async () => {
    // The shell stays to look at the terminal afterwards.
    const shell = [
      "sh",
      "-c",
      'trap : INT; stty -a >before; "$@"; echo "code $?"; stty -a >after; cmp before after && echo same',
      "sh",
    ]
    const terminal = await play([{ reply: [{ text: "Wait.\n\n" }, { stall: true }] }], { prefix: shell })

    await terminal.shows("Wait.")
    terminal.type(CTRL_C)
    await terminal.ended

    expect(terminal.text()).toContain("stopping…")
    expect(terminal.text()).toContain("code 130")
    expect(terminal.text()).toContain("same")
    expectRestored(terminal)
  })

  it("ends at once at a second Ctrl-C", async () => {
    const deaf = { tool: "bash", input: { command: "trap '' INT TERM; while true; do sleep 0.2; done" } }
    const terminal = await play([{ reply: [{ text: "Wait." }, deaf] }], { more: { PAWL_CONFIG_CONTENT: ALLOWED } })

    await terminal.shows("Wait.")
    await terminal.shows("bash")
    terminal.type(CTRL_C)
    await terminal.shows("stopping…")
    await new Promise((resolve) => setTimeout(resolve, 300))
    terminal.type(CTRL_C)

    expect(await terminal.ended).toEqual({ code: 130 })
    expectRestored(terminal)
  })

  it("asks, takes a key for the answer, and leaves the terminal as it was", async () => {
    const more = { PAWL_CONFIG_CONTENT: '{"permission": {"bash": "ask"}}' }
    const bash = { tool: "bash", input: { command: "echo made it" } }
    const terminal = await play([{ reply: [bash] }, { text: "Done." }], { more })

    await terminal.shows("[y]")
    terminal.type("y\r")

    expect(await terminal.ended).toEqual({ code: 0 })
    expect(terminal.text()).toContain("Done.")
    expectRestored(terminal)
  })
})

const ALLOWED = '{"permission": {"bash": "allow"}}'

/** The cursor is shown, and neither the other screen nor pasting in brackets nor the mouse is left switched on. */
function expectRestored(terminal: TerminalProgram): void {
  for (const mode of ["?1049", "?2004", "?1000", "?1002", "?1006"]) {
    const switches = [...terminal.raw().matchAll(new RegExp(`\u001B\\[\\${mode}([hl])`, "g"))].map(([, to]) => to)
    expect({ mode, last: switches.at(-1) ?? "l" }).toEqual({ mode, last: "l" })
  }
  const cursor = [...terminal.raw().matchAll(new RegExp(`${ESCAPE}\\[\\?25([hl])`, "g"))].map(([, to]) => to)
  expect(cursor.at(-1) ?? "h").toBe("h")
}
