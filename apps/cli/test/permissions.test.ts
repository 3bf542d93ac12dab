import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { call, modelServer, reply, text } from "@pawl/model-server"
import { describe, expect, it } from "vitest"
import { desk } from "./in-process.ts"
import { jsonLines } from "./workplace.ts"

const RULES = `{
  "permission": {
    "bash": {
      "*": "allow",
      "git push *": "ask",
      "rm *": "deny"
    }
  }
}
`

async function ruled() {
  const place = await desk()
  await writeFile(join(place.configuration, "pawl.jsonc"), RULES)
  return place
}

describe("pawl permissions why", () => {
  it("judges each command of a longer one, and names the rule, the file and the line that decides", async () => {
    const { pawl, configuration } = await ruled()

    const { code, stdout } = await pawl("permissions", "why", "bash", "git status && rm -rf build")

    expect(code).toBe(3)
    expect(stdout).toMatch(/^deny: bash, called by the agent build\n/)
    expect(stdout).toContain("  allow git status\n")
    expect(stdout).toContain("  deny rm -rf build\n")
    expect(stdout).toContain(`    → deny bash "rm *" · user configuration, ${join(configuration, "pawl.jsonc")}:6\n`)
    expect(stdout).toContain('      allow * "*" · defaults (overruled)\n')
  })

  it.each<[input: string, code: number, action: string]>([
    ["git status", 0, "allow"],
    ["git push origin main", 3, "ask"],
    ["r''m x", 3, "deny"],
    ["$(cat todo)", 3, "ask"],
  ])("of %s ends with %d: %s", async (input, code, action) => {
    const { pawl } = await ruled()

    const run = await pawl("permissions", "why", "bash", input, "--format", "json")

    expect(run.code).toBe(code)
    expect(jsonLines(run.stdout)).toMatchObject([{ tool: "bash", isKnown: true, agent: "build", action }])
  })

  it("shows what is unclear in a command", async () => {
    const { pawl } = await ruled()

    const { stdout } = await pawl("permissions", "why", "bash", "$EDITOR x")

    expect(stdout).toContain("unclear: ")
  })

  it("marks no allow as the rule that decides where it is asked because of what is unclear", async () => {
    const { pawl } = await desk()

    const { stdout } = await pawl("permissions", "why", "bash", "git config core.hooksPath /tmp/h")

    expect(stdout).toMatch(/^ask: bash/)
    expect(stdout).not.toContain("→ allow")
    expect(stdout).toContain('allow * "*" · defaults (what is unclear is asked)')
  })

  it("takes JSON, and judges tools that it does not know by their name", async () => {
    const { pawl, project } = await ruled()
    await mkdir(join(project, ".git"))

    const edit = await pawl("permissions", "why", "write", '{"filePath": ".git/config", "content": "x"}')
    const foreign = await pawl("permissions", "why", "server_send")

    expect(edit.code).toBe(3)
    expect(edit.stdout).toContain("ask protected_file")
    expect(foreign).toMatchObject({ code: 0 })
    expect(foreign.stdout).toContain("a tool that is not known here: judged by its name")
  })

  it("refuses an input that the tool does not take, with an example and without the text for the model", async () => {
    const { pawl } = await ruled()

    const missing = await pawl("permissions", "why", "bash")
    const wrong = await pawl("permissions", "why", "bash", '{"cmd": "ls"}')

    expect(missing).toEqual({
      code: 2,
      stdout: "",
      stderr: "pawl: missing input for bash\nExample: pawl permissions why bash 'git push'\n",
    })
    expect(wrong).toMatchObject({ code: 2, stdout: "" })
    expect(wrong.stderr).toContain("pawl: invalid input for bash: expected command, ")
    expect(wrong.stderr).not.toContain("Please rewrite")
  })

  it("judges for any agent", async () => {
    const { pawl } = await ruled()

    expect((await pawl("permissions", "why", "edit", "a.ts", "--agent", "plan")).code).toBe(3)
    expect((await pawl("permissions", "why", "edit", "a.ts", "--agent", "plam")).stderr).toContain(
      'Did you mean "plan"?',
    )
  })

  it("names the plugin whose rules count, and judges the rules of one plugin as one author's", async () => {
    const { pawl, configuration } = await desk()
    const plugin = (rules: string) => {
      return `import { definePlugin } from "@pawl/plugin"
export default definePlugin(() => ({ config: (_input, config) => { ${rules} } }))`
    }
    const own =
      'config.permission = { ...config.permission, task: "deny" }; config.agent = { ...config.agent, lead: { permission: { task: "allow" } } }'
    await mkdir(join(configuration, "plugin"))
    await writeFile(join(configuration, "plugin/a.ts"), plugin(own))

    const lead = await pawl("permissions", "why", "task", "review", "--agent", "lead")
    const build = await pawl("permissions", "why", "task", "review")
    await writeFile(
      join(configuration, "plugin/b.ts"),
      plugin('config.permission = { ...config.permission, task: { review: "deny" } }'),
    )
    const both = await pawl("permissions", "why", "task", "review", "--agent", "lead")

    expect(lead).toMatchObject({ code: 0 })
    expect(lead.stdout).toMatch(/→ allow task "\*" · plugin .*a\.ts, agent lead\n/)
    expect(lead.stdout).toMatch(/deny task "\*" · plugin .*a\.ts \(the same source is more precise\)/)
    expect(build.stdout).toMatch(/→ deny task "\*" · plugin .*a\.ts\n/)
    expect(both.stdout).toMatch(/→ deny task "review" · plugin .*b\.ts\n/)
  })

  it("says that what is allowed ends with its word", async () => {
    const { pawl, configuration } = await desk()
    await writeFile(join(configuration, "pawl.jsonc"), '{ "permission": { "bash": { "*": "ask", "ls*": "allow" } } }')

    const { code, stdout } = await pawl("permissions", "why", "bash", "ls -l; lsof")

    expect(code).toBe(3)
    expect(stdout).toMatch(/ {2}allow ls -l\n/)
    expect(stdout).toMatch(/ {2}ask lsof\n/)
    expect(stdout).toMatch(/allow bash "ls\*" · user configuration, .*:1 \(an allow ends with the word before \*\)\n/)
  })

  it("knows what was approved in a session", async () => {
    const { pawl } = await ruled()
    await using server = await modelServer({
      replies: [reply(call("bash", { command: "git push origin main" })), reply(text("Pushed."))],
    })
    const model = ["-m", "custom/test", "--base-url", server.url]
    const run = await pawl("run", ...model, "--format", "json", "push")
    const id = String(jsonLines(run.stdout)[0]?.["sessionID"])

    const why = await pawl("permissions", "why", "bash", "git push origin main", "-s", id)

    expect([run.code, why.code]).toEqual([3, 3])
    expect(why.stdout).toContain('→ ask bash "git push *"')
  })
})

describe("pawl permissions list", () => {
  it("lists every rule that holds, with its scope and line", async () => {
    const { pawl } = await ruled()

    const { stdout } = await pawl("permissions", "list", "--agent", "plan")
    const lines = jsonLines((await pawl("permissions", "list", "--format", "json")).stdout)

    expect(stdout).toContain('  deny  bash "rm *" · line 6')
    expect(stdout).toContain("agent plan · asks for nothing that only reads\n  deny  edit")
    expect(lines).toContainEqual(
      expect.objectContaining({ scope: "user configuration", permission: "bash", pattern: "git push *", line: 5 }),
    )
  })
})

describe("pawl permissions replay", () => {
  async function recorded() {
    const place = await desk()
    await using server = await modelServer({
      replies: [
        reply(call("bash", { command: "echo one" }), call("bash", { command: "touch two" })),
        reply(call("read", { filePath: "two" })),
        reply(text("Done.")),
      ],
    })
    const run = await place.pawl("run", "-m", "custom/test", "--base-url", server.url, "work")
    expect(run.code).toBe(0)
    return place
  }

  it("lists the calls that other rules would have stopped, newest first, with counts by rule", async () => {
    const { pawl, project } = await recorded()
    await writeFile(join(project, "strict.jsonc"), '{\n  "bash": { "*": "ask", "touch *": "deny" }\n}\n')

    const { code, stdout } = await pawl("permissions", "replay", "--rules", "strict.jsonc")
    const lines = jsonLines((await pawl("permissions", "replay", "--rules", "strict.jsonc", "--format", "json")).stdout)

    expect(code).toBe(0)
    expect(stdout).toMatch(
      /^allow → deny bash touch two · bash touch two · ses_\w+\nallow → ask bash echo one · bash echo one · ses_/,
    )
    expect(stdout).toContain("3 calls of 1 session · 2 would have gone otherwise")
    expect(stdout).toContain('     1  allow → deny  bash "touch *" (new rules:2)')
    expect(lines.map(({ type }) => type)).toEqual(["change", "change", "summary"])
    expect(lines[0]).toMatchObject({ tool: "bash", before: "allow", after: "deny", pattern: "touch two", line: 2 })
    expect(lines[2]).toMatchObject({ sessions: 1, calls: 3, unjudged: 0, changed: 2 })
  })

  it("lists what was stopped and would not have been", async () => {
    const { pawl, project, configuration } = await desk()
    await writeFile(join(configuration, "pawl.jsonc"), '{ "permission": { "bash": { "touch *": "deny" } } }')
    await using server = await modelServer({
      replies: [reply(call("bash", { command: "touch x" })), reply(text("No."))],
    })
    await pawl("run", "-m", "custom/test", "--base-url", server.url, "work")
    await writeFile(join(project, "open.jsonc"), '{ "permission": "allow" }')

    const { stdout } = await pawl("permissions", "replay", "--rules", "open.jsonc")

    expect(stdout).toMatch(/^deny → allow bash touch x · ses_/)
  })

  it.each(["text", "json"])("prints the stored calls without secrets: %s", async (format) => {
    const token = `ghp_${"a1B2c3D4e5F6g7H8i9".repeat(2)}`
    const pem = [["-----BEGIN ", "PRIVATE KEY-----"].join(""), "MIIEowIBAAKCAQEA", "-----END"].join("\n")
    const { pawl, project } = await desk()
    await using server = await modelServer({
      replies: [
        reply(call("bash", { command: `echo ${token}` }), call("bash", { command: `echo '${pem}'` })),
        reply(text("Done.")),
      ],
    })
    await pawl("run", "-m", "custom/test", "--base-url", server.url, "work")
    await writeFile(join(project, "strict.jsonc"), '{ "bash": "deny" }')

    const { code, stdout } = await pawl("permissions", "replay", "--rules", "strict.jsonc", "--format", format)

    expect([code, stdout.split("[removed:").length > 2]).toEqual([0, true])
    expect(stdout).not.toMatch(/ghp_|MIIE/)
  })

  it("leaves out what is older, and refuses a file without rules", async () => {
    const { pawl, project } = await recorded()
    await writeFile(join(project, "strict.jsonc"), '{ "permission": "deny" }')
    await writeFile(join(project, "empty.jsonc"), "{}")

    const recent = await pawl("permissions", "replay", "--rules", "strict.jsonc", "--since", "0")
    const empty = await pawl("permissions", "replay", "--rules", "empty.jsonc")

    expect(recent.stdout).toContain("0 calls of 0 sessions")
    expect(empty).toMatchObject({ code: 2 })
    expect(empty.stderr).toContain("holds no rules")
  })
})
