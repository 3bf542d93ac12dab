import { mkdir, readdir, readFile, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { describe, expect, it } from "vitest"
import { desk } from "../in-process.ts"
import { jsonLines } from "../workplace.ts"
import { fixtureServer } from "./servers.ts"

async function place(config: object = {}) {
  const made = await desk()
  const fixture = fixtureServer(dirname(made.project))
  const file = join(made.configuration, "pawl.jsonc")
  const write = (value: object) => writeFile(file, JSON.stringify(value))
  await write({ mcp: { fix: fixture.server }, ...config })
  return { ...made, fixture, file, write, text: () => readFile(file, "utf8") }
}

describe("pawl mcp list", () => {
  it("says how every server stands, for people and for programs", async () => {
    const { pawl, write, fixture } = await place()
    const bad = { type: "local", command: ["is-not-there"] }
    await write({ mcp: { fix: fixture.server, off: { ...bad, enabled: false }, bad } })

    const shown = await pawl("mcp", "list")
    const listed = jsonLines((await pawl("mcp", "list", "--format", "json")).stdout)

    expect(shown.code).toBe(0)
    expect(shown.stdout).toMatch(/^fix {2}connected over stdio · 14 tools$/m)
    expect(shown.stdout).toMatch(/^off {2}switched off$/m)
    expect(shown.stdout).toMatch(/^bad {2}The MCP server "bad" cannot be started: "is-not-there" was not found/m)
    expect(listed).toMatchObject([
      { name: "fix", status: "connected", transport: "stdio", tools: 14, waiting: [] },
      { name: "off", status: "disabled", command: "is-not-there" },
      { name: "bad", status: "failed", error: expect.stringContaining("mcp.bad.command") },
    ])
    expect(await fixture.processes()).toEqual([])
  })

  it("starts nothing with --offline, and says what to do where there is nothing", async () => {
    const { pawl, write, fixture } = await place()

    const offline = await pawl("mcp", "list", "--offline")
    await write({})
    const none = await pawl("mcp", "list")

    expect(offline.stdout).toContain("not started · tools not known")
    expect(await fixture.notes()).toEqual([])
    expect(none).toMatchObject({
      code: 0,
      stdout: "No MCP servers. Add one: pawl mcp add <name> …\n",
    })
  })

  it("shows those that plugins bring by their config hook, which can be used like others", async () => {
    const { pawl, write, fixture, configuration } = await place()
    await write({ mcp: { fix: { enabled: false } } })
    await mkdir(join(configuration, "plugin"))
    const plugin = `export default async () => ({ config: (config) => { config.mcp = { ...config.mcp, brought: ${JSON.stringify(fixture.server)} } } })`
    await writeFile(join(configuration, "plugin/bring.js"), plugin)

    const listed = jsonLines((await pawl("mcp", "list", "--format", "json")).stdout)
    const called = await pawl("mcp", "call", "brought", "echo", "text=hi")
    const offline = await pawl("mcp", "list", "--offline")

    expect(listed).toMatchObject([{ name: "brought", status: "connected", source: "plugins" }])
    expect(called).toMatchObject({ code: 0, stdout: "echo: hi\n" })
    expect(offline.stdout).toContain("No MCP servers")
    expect(await fixture.processes()).toEqual([])
  })

  it("shows what one of them offers, as it is written in a prompt", async () => {
    const { pawl } = await place()

    const { stdout } = await pawl("mcp", "list", "fix")

    expect(stdout).toMatch(/^ {2}fix_echo +Says it again$/m)
    expect(stdout).toMatch(/^ {2}\/fix:greet <who> <how> +Greets$/m)
    expect(stdout).toMatch(/^ {2}@fix:fix:\/\/a +a$/m)
  })

  it("gives up on a server that does not answer in time", async () => {
    const { pawl, write, fixture } = await place()
    await write({ mcp: { fix: { ...fixture.server, environment: { FIXTURE_SILENT: "connect" } } } })

    const { stdout, code } = await pawl("mcp", "list", "--timeout", "1s")

    expect(code).toBe(0)
    expect(stdout).toMatch(/^fix {2}(no answer yet|not started|The MCP server)/m)
  })

  it("names what is wrong in a configuration, with file, line and column", async () => {
    const { pawl, file } = await place()
    await writeFile(file, '{\n  "mcp": {\n    "x": { "type": "local", "command": "npx" }\n  }\n}\n')

    const { code, stderr } = await pawl("mcp", "list")

    expect(code).toBe(2)
    expect(stderr).toMatch(/pawl\.jsonc:3:\d+: mcp\.x\.command must be an array: the program, then its arguments/)
  })
})

describe("pawl mcp add and remove", () => {
  it("write a server and take it away, comments kept", async () => {
    const { pawl, file, text } = await place()
    await writeFile(file, '{\n  // mine\n  "model": "a/b"\n}\n')

    const local = await pawl(
      "mcp",
      "add",
      "files",
      "--env",
      "TOKEN",
      "--env",
      "MODE=fast",
      "--",
      "npx",
      "-y",
      "files-mcp",
      ".",
    )
    const remote = await pawl("mcp", "add", "web", "--url", "https://example.com/mcp", "--header", "X-Team: a")
    const written = await text()

    expect([local, remote].map(({ code }) => code)).toEqual([0, 0])
    expect(written).toContain("// mine")
    expect(JSON.parse(written.replace("// mine", ""))).toEqual({
      model: "a/b",
      mcp: {
        files: {
          ...{ type: "local", command: ["npx", "-y", "files-mcp", "."] },
          environment: { TOKEN: "{env:TOKEN}", MODE: "fast" },
        },
        web: { type: "remote", url: "https://example.com/mcp", headers: { "X-Team": "a" } },
      },
    })

    for (const name of ["files", "web"]) expect((await pawl("mcp", "remove", name)).code).toBe(0)
    expect(JSON.parse((await text()).replace("// mine", ""))).toEqual({ model: "a/b", mcp: {} })
  })

  it("tell of a secret that stands in the file as it is", async () => {
    const { pawl } = await place()

    const plain = await pawl("mcp", "add", "a", "--env", "API_TOKEN=abcdef0123456789", "--", "x")
    const reference = await pawl("mcp", "add", "b", "--env", "API_TOKEN", "--", "x")

    expect(plain.stderr).toContain("the variable API_TOKEN holds what looks like a secret")
    expect(reference.stderr).not.toContain("secret")
  })

  it.each([
    [["add"], "missing name"],
    [["add", "x"], "missing command or URL"],
    [["add", "a b", "--", "x"], 'invalid server name "a b"'],
    [["add", "x", "--url", "ftp://a"], "mcp.x.url must be an http or https URL"],
    [["add", "x", "--url", "https://a", "--", "y"], "--url and a command cannot be used together"],
    [["add", "x", "--url", "https://a", "--env", "A"], "--env and --cwd are for a local server"],
    [["add", "x", "--header", "A: b", "--", "y"], "--header and --sse are for a remote server"],
    [["add", "x", "--url", "https://a", "--header", "nonsense"], 'for --header: expected "name: value"'],
    [["add", "x", "--env", "1=2", "--", "y"], "for --env: expected NAME or NAME=value"],
    [["add", "fix", "--", "y"], 'already has an MCP server "fix"'],
    [["remove", "nope"], 'There is no MCP server "nope". Known: fix.'],
    [["debug"], "missing server"],
    [["auth", "fix"], '"fix" is a local program and needs no sign-in'],
    [["logout", "fix"], '"fix" is a local program and needs no sign-in'],
    [["list", "--timeout", "soon"], 'invalid value "soon" for --timeout: expected a time such as 5s or 1m'],
  ])("refuse %j, and write nothing", async (args, message) => {
    const { pawl, text } = await place()
    const before = await text()

    const { code, stderr } = await pawl("mcp", ...args)

    expect(code).toBe(2)
    expect(stderr).toContain(message)
    expect(await text()).toBe(before)
  })

  it("take servers over from another program's file, and go on after one that cannot be", async () => {
    const { pawl, project, text } = await place()
    const file = join(project, "other.json")
    const servers = {
      a: { command: "npx", args: ["-y", "a"], env: { TOKEN: "${A_TOKEN}", MODE: "${MODE:-fast}" } },
      b: { type: "carrier-pigeon" },
      c: { type: "http", url: "https://example.com/mcp" },
      fix: { command: "x" },
    }
    await writeFile(file, JSON.stringify({ mcpServers: servers }))

    const one = await pawl("mcp", "import", file, "c")
    const all = await pawl("mcp", "import", file)

    expect(one.code).toBe(0)
    expect(all.code).toBe(1)
    expect(all.stderr).toMatch(/mcpServers\.b: type "carrier-pigeon" is not supported/)
    expect(all.stderr).toMatch(/"fix" is left out: .* already/)
    expect(JSON.parse(await text())).toMatchObject({
      mcp: {
        a: { type: "local", command: ["npx", "-y", "a"], environment: { TOKEN: "{env:A_TOKEN}", MODE: "fast" } },
        c: { type: "remote", url: "https://example.com/mcp" },
      },
    })
  })
})

describe("pawl mcp call", () => {
  it("calls a tool with words by its schema or with JSON, and prints what came", async () => {
    const { pawl, project } = await place()

    const words = await pawl("mcp", "call", "fix", "echo", "text=5")
    const json = await pawl("mcp", "call", "fix", "fix_echo", '{"text": "a b"}', "--format", "json")
    const structured = await pawl("mcp", "call", "fix", "structured")
    const mixed = await pawl("mcp", "call", "fix", "mixed", "--save", "out")

    expect(words).toMatchObject({ code: 0, stdout: "echo: 5\n" })
    expect(JSON.parse(json.stdout)).toEqual({ content: [{ type: "text", text: "echo: a b" }] })
    expect(JSON.parse(structured.stdout)).toEqual({ answer: 42 })
    expect(mixed.stdout).toContain("[image/png, 70 B]")
    expect(await readdir(join(project, "out"))).toEqual(["3.png", "4.wav"])
  })

  it("fails as the tool does, and says what it takes", async () => {
    const { pawl } = await place()

    const failed = await pawl("mcp", "call", "fix", "fail")
    const missing = await pawl("mcp", "call", "fix", "echo")
    const unknown = await pawl("mcp", "call", "fix", "eco")

    expect(failed).toMatchObject({ code: 1, stdout: "", stderr: "it broke\n" })
    expect(missing).toMatchObject({ code: 2 })
    expect(missing.stderr).toContain("echo needs text.")
    expect(missing.stderr).toContain("It takes: echo text=<string>")
    expect(unknown.stderr).toContain('"fix" offers no tool "eco". Did you mean echo?')
  })

  it("shows progress, and declines what a server asks where nobody sits", async () => {
    const { pawl } = await place()

    const slow = await pawl("mcp", "call", "fix", "slow", '{"steps": 2, "pause": 1}')
    const asked = await pawl("mcp", "call", "fix", "elicit")

    expect(slow).toMatchObject({ code: 0, stdout: "done\n" })
    expect(slow.stderr).toContain("… 2 of 2 step 2")
    expect(JSON.parse(asked.stdout)).toEqual({ action: "decline" })
  })
})

describe("pawl mcp debug", () => {
  it("goes through the steps, and shows what the server wrote", async () => {
    const { pawl } = await place()

    const { code, stdout } = await pawl("mcp", "debug", "fix")

    expect(code).toBe(0)
    expect(stdout).toMatch(/✔ connect +\d+\.\ds +fixture 1\.0\.0, protocol 20[-\d]+, over stdio, process \d+/)
    expect(stdout).toMatch(/✔ capabilities +\d+\.\ds +logging, prompts, resources, tools/)
    expect(stdout).toMatch(/✔ tools +\d+\.\ds +14/)
    expect(stdout).toContain("│ fixture is ready")
  })

  it("ends with the step that fails", async () => {
    const { pawl, write } = await place()
    await write({
      mcp: { bad: { type: "local", command: [process.execPath, "-e", "console.error('no key'); process.exit(3)"] } },
    })

    const { code, stdout } = await pawl("mcp", "debug", "bad")
    const facts = JSON.parse((await pawl("mcp", "debug", "bad", "--format", "json")).stdout)

    expect(code).toBe(1)
    expect(stdout).toMatch(/✗ connect/)
    expect(stdout).toContain("│ no key")
    expect(stdout).not.toContain(" tools ")
    expect(facts).toMatchObject({
      name: "bad",
      steps: [{}, {}, { what: "connect", error: expect.stringContaining("bad") }],
    })
  })
})

describe("pawl mcp allow", () => {
  async function projectServer() {
    const made = await place()
    const { fixture, project } = made
    await made.write({})
    await writeFile(join(project, ".mcp.json"), JSON.stringify({ mcpServers: { fix: fixture.imported } }))
    return made
  }

  it("shows command, variables and tools; and starts nothing where nobody can be asked", async () => {
    const { pawl, fixture } = await projectServer()
    const untrusted = await pawl("mcp", "allow", "fix")
    await pawl("trust", "--yes")

    const unasked = await pawl("mcp", "allow", "fix")
    const notes = await fixture.notes()
    const allowed = await pawl("mcp", "allow", "--yes", "fix")
    const again = await pawl("mcp", "allow", "fix")

    expect(untrusted.stderr).toContain("the project is not trusted")
    expect(unasked).toMatchObject({ code: 2 })
    expect(unasked.stdout).toContain("FIXTURE_LOG")
    expect(unasked.stderr).toContain("Pass --yes to allow it.")
    expect(notes).toEqual([])
    expect(allowed.stdout).toMatch(/It offers 14 tools:[^]*echo \(only reads, it says\)\n│ {3}Says it again/)
    expect(allowed.stderr).toContain('"fix" is allowed until it changes.')
    expect(again.stdout).toContain('"fix" is already allowed.')
  })

  it("marks tools that have changed, and allows them anew", async () => {
    const { pawl, fixture } = await place()
    await pawl("mcp", "list")
    await writeFile(fixture.rewording, "Says something else")

    const held = jsonLines((await pawl("mcp", "list", "--format", "json")).stdout)
    const refused = await pawl("mcp", "call", "fix", "echo", "text=a")
    const allowed = await pawl("mcp", "allow", "--yes", "fix")
    const after = await pawl("mcp", "call", "fix", "echo", "text=a")

    expect(held).toMatchObject([{ tools: 13, waiting: ["echo"] }])
    expect(refused.code).toBe(2)
    expect(allowed.stdout).toContain("echo (only reads, it says; new or changed)")
    expect(after).toMatchObject({ code: 0, stdout: "echo: a\n" })
  })

  it("forgets what was allowed with the server", async () => {
    const { pawl, project, fixture } = await projectServer()
    await pawl("trust", "--yes")
    await pawl("mcp", "allow", "--yes", "fix")
    await pawl("mcp", "remove", "fix")
    await writeFile(join(project, ".mcp.json"), JSON.stringify({ mcpServers: { fix: fixture.imported } }))
    await pawl("trust", "--yes")

    expect(jsonLines((await pawl("mcp", "list", "--format", "json")).stdout)).toMatchObject([
      { status: "awaiting_approval", reason: "unknown", source: ".mcp.json" },
    ])
  })
})
