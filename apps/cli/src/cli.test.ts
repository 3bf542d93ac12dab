import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { temporaryDirectory, testHost } from "../test/host.ts"
import { type CommandRow, defineCommand } from "./arguments/command.ts"
import { UsageError } from "./arguments/usage-error.ts"
import { cli } from "./cli.ts"
import { exitCodes } from "./exit-code.ts"

/** A table with one command that notes when its module is loaded and when its handler is called. */
function notedTable() {
  const noted: string[] = []
  const command = defineCommand({
    usage: [],
    words: { min: 1, max: 1, missing: "Which one?" },
    options: { loud: { summary: "" } },
    examples: [],
    async run({ options, words }, { stdout }) {
      noted.push("called")
      stdout.write(`${words.join(" ")}${options.loud ? "!" : ""}`)
      return exitCodes.success
    },
  })
  async function load() {
    noted.push("loaded")
    return { command }
  }
  const table: readonly CommandRow[] = [{ name: "greet", group: "Start", summary: "Greet a user.", load }]
  return { table, noted }
}

describe("a command's module", () => {
  it("is loaded when the command is run, and then its handler is called", async () => {
    const { table, noted } = notedTable()
    const host = testHost()
    expect(noted).toEqual([])

    expect(await cli(["greet", "--loud", "Ann"], host, table)).toBe(exitCodes.success)
    expect(host.stdout.text()).toBe("Ann!")
    expect(noted).toEqual(["loaded", "called"])
  })

  it.each([
    { given: ["greet"], says: "Which one?" },
    { given: ["greet", "--soft", "Ann"], says: "unknown option --soft for pawl greet" },
  ])("is not called for what is written wrongly: $given", async ({ given, says }) => {
    const { table, noted } = notedTable()
    const host = testHost()

    expect(await cli(given, host, table)).toBe(exitCodes.usage)
    expect(host.stderr.text()).toContain(says)
    expect(noted).toEqual(["loaded"])
  })

  it("is reported under its general options if its handler throws at once", async () => {
    const command = defineCommand({
      usage: [],
      words: { min: 0, max: 0 },
      options: {},
      examples: [],
      run() {
        throw new UsageError("The door is locked.")
      },
    })
    const host = testHost()
    const row: CommandRow = { name: "greet", group: "Start", summary: "", load: async () => ({ command }) }

    expect(await cli(["greet", "--json"], host, [row])).toBe(exitCodes.usage)
    expect(JSON.parse(host.stdout.text())).toMatchObject({ exitCode: 2, said: ["pawl: The door is locked."] })
  })

  it.each([[], ["--help"], ["great"], ["--quiet"]])("is not loaded for pawl %s", async (...given) => {
    const { table, noted } = notedTable()

    await cli(given, testHost(), table)

    expect(noted).toEqual([])
  })
})

describe("the command line", () => {
  it.each([
    { given: ["rnu", "hi"], says: 'pawl: unknown command "rnu"; did you mean "run"?\nSee: pawl --help\n' },
    { given: ["run", "--modle", "x", "hi"], says: "did you mean --model?\nSee: pawl run --help\n" },
    { given: ["run"], says: 'missing task: pawl run "<task>"' },
    { given: ["run", ""], says: "The task is empty." },
    { given: ["run", " ", "\n"], says: "The task is empty." },
    { given: ["run", "-c", "-s", "ses_1", "hi"], says: "-c and -s cannot be used together." },
    { given: ["run", "-c", "--title", "x", "hi"], says: "--title is for a new session." },
    { given: ["run", "-s", "ses_1", "-f", "a.txt"], says: "-f requires a task" },
    { given: ["run", "-c", "-m", "a/b"], says: "-m requires a task" },
    { given: ["run", "-m", "hi"], says: 'missing task: pawl run "<task>"' },
    { given: ["run", "--dir", "nowhere", "hi"], says: "There is no directory " },
    { given: ["session", "list", "-n", "0"], says: 'invalid value "0" for -n: expected a whole number above 0' },
    { given: ["session", "children"], says: "missing session id; list them: pawl session list" },
    { given: ["demo", "--pace", "fast"], says: 'invalid value "fast" for --pace: expected a number, 0 or more' },
    { given: ["mcp", "import", "none.json"], says: "There is no file " },
    { given: ["--json"], says: "missing command after --json" },
    { given: ["demo", "now"], says: 'unexpected argument "now" for pawl demo' },
    { given: ["models", "a", "b"], says: 'unexpected argument "b"' },
    { given: ["help", "run", "--all"], says: "--all cannot be used with a command" },
    { given: ["help", "rnu"], says: 'did you mean "run"?' },
  ])("$given is refused with exit code 2, on stderr", async ({ given, says }) => {
    const directory = await temporaryDirectory()
    const host = testHost({ directory, environment: { PAWL_DATA_DIR: directory, PAWL_CONFIG_DIR: directory } })

    const code = await cli(given, host)

    expect({ code, stdout: host.stdout.text() }).toEqual({ code: 2, stdout: "" })
    expect(host.stderr.text()).toContain(says)
  })

  it.each([
    { given: [], shows: "Commands\n" },
    { given: ["help"], shows: "Commands\n" },
    { given: ["--help"], shows: "Models and keys\n" },
    { given: ["-h"], shows: "Models and keys\n" },
    { given: ["help", "--all"], shows: "Models and keys\n" },
    { given: ["run", "--help"], shows: "  pawl run [options]" },
    { given: ["run", "fix it", "-m", "a/b", "-h"], shows: "  pawl run [options]" },
    { given: ["help", "session", "list"], shows: "  pawl session list [options]" },
    { given: ["session", "--help"], shows: "  pawl session <command>" },
    { given: ["session", "show", "--help"], shows: "  pawl session show" },
  ])("$given shows help on stdout", async ({ given, shows }) => {
    const host = testHost()

    expect(await cli(given, host)).toBe(0)
    expect(host.stdout.text()).toContain(shows)
    expect(host.stderr.text()).toBe("")
  })

  it("leaves --help behind -- to the task", async () => {
    const host = testHost()

    await cli(["run", "--dir", "nowhere", "--", "--help"], host)

    expect(host.stdout.text()).toBe("")
    expect(host.stderr.text()).toContain("There is no directory /nowhere/nowhere")
  })

  it("lists the models that configuration and keys open, and scripts", async () => {
    const directory = await temporaryDirectory()
    const mine = { options: { baseURL: "http://127.0.0.1:9/v1" }, models: { small: {}, "org/large": {} } }
    await writeFile(join(directory, "pawl.jsonc"), JSON.stringify({ provider: { mine } }))
    const environment = { PAWL_DATA_DIR: directory, PAWL_CONFIG_DIR: directory, GROQ_API_KEY: "k" }
    const [all, one] = [testHost({ directory, environment }), testHost({ directory, environment })]

    const codes = [await cli(["models", "--format", "json"], all), await cli(["models", "mine"], one)]

    expect(codes).toEqual([0, 0])
    const lines = all.stdout.text().split("\n").filter(Boolean)
    expect(lines.map((line) => (JSON.parse(line) as { model: string }).model)).toEqual(
      expect.arrayContaining([
        "mine/small",
        "mine/org/large",
        "groq/openai/gpt-oss-120b",
        "replay/demo",
        "replay/hello",
      ]),
    )
    expect(one.stdout.text()).toBe("mine/small      configuration\nmine/org/large  configuration\n")
  })

  it("tells of an error that came before the session on stdout too, as JSON, where that was asked for", async () => {
    const host = testHost()

    const code = await cli(["run", "--format", "json", "--dir", "nowhere", "hi"], host)

    expect(code).toBe(2)
    const lines = host.stdout.text().split("\n").filter(Boolean)
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      { type: "error", timestamp: expect.any(Number), error: expect.objectContaining({ name: "UsageError" }) },
    ])
  })
})
