import { execFile } from "node:child_process"
import { access, cp, mkdir, readFile, writeFile } from "node:fs/promises"
import { delimiter, dirname, join } from "node:path"
import { promisify } from "node:util"
import { reply, modelServer, text } from "@pawl/model-server"
import { describe, expect, it } from "vitest"
import { testRegistry } from "../../../packages/plugin-loader/test/registry.ts"
import { jsonLines, workplace } from "./workplace.ts"

const PLUGIN = `import { definePlugin, tool } from "@pawl/plugin"
export default definePlugin(() => ({
  tool: { a: tool({ description: "A", args: {}, execute: () => "a" }) },
  "tool.execute.before": () => undefined,
}))
`

const acme = (version: string, said = version) => ({
  manifest: { name: "acme", version, type: "module", main: "index.js", peerDependencies: { "@pawl/plugin": "*" } },
  files: {
    "index.js": `import { definePlugin } from "@pawl/plugin"
export default definePlugin(() => ({ "chat.system.transform": (_, output) => { output.system.push("acme ${said}") } }))`,
  },
})

const write = async (path: string, content: string) => {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, content)
}

/** Runs both, and lets npm ask no registry. */
async function npmInstallAndTest(directory: string) {
  const registry = await testRegistry()
  const env = { ...registry.env, PATH: [dirname(process.execPath), process.env["PATH"]].join(delimiter) }
  const npm = (...args: string[]) => promisify(execFile)("npm", args, { cwd: directory, env })
  await npm("install", "--no-audit", "--no-fund", "--no-update-notifier")
  expect(registry.requests).toEqual([])
  return await npm("test")
}

describe("pawl plugin new", () => {
  it("makes a plugin whose tests pass, and that works when it is added", async () => {
    const { project, pawl } = await workplace()

    const made = await pawl(["plugin", "new", "my-ticket"])
    const directory = join(project, "my-ticket")
    // The plugin is whole without a registry, and without the directory that it was made in.
    const moved = join(project, "elsewhere/my-ticket")
    await mkdir(dirname(moved))
    await cp(directory, moved, { recursive: true })
    const { stdout: tested } = await npmInstallAndTest(moved)
    await npmInstallAndTest(directory)
    const added = await pawl(["plugin", "add", "./my-ticket"])
    const doctor = await pawl(["plugin", "doctor", "--format", "json"])

    expect(made.code).toBe(0)
    expect(made.stderr).toContain("cd ./my-ticket && npm install && npm test")
    expect(tested).toMatch(/pass 2\n.*fail 0/)
    expect(added).toMatchObject({
      code: 0,
      stdout: "Added ./my-ticket 0.1.0 to pawl.jsonc.\nIt hooks tool.execute.before, and gives 1 tool.\n",
      stderr: "",
    })
    expect(jsonLines(doctor.stdout)).toMatchObject([
      { plugin: "./my-ticket", version: "0.1.0", ok: true, plugins: [{ tools: 1 }] },
    ])
  })

  it("makes code of any name, and says where it is", async () => {
    const { project, pawl } = await workplace()
    const directory = join(project, "../2fa.x-")

    const { stderr } = await pawl(["plugin", "new", directory])
    const added = await pawl(["plugin", "add", directory, "--format", "json"])

    expect(stderr).toContain(`plugin add ${directory}\n`)
    expect(jsonLines(added.stdout)).toMatchObject([{ tools: 1 }])
  })

  it("takes no name that is none, and no directory with something in it", async () => {
    const { project, pawl } = await workplace()
    await write(join(project, "full/x"), "")
    await write(join(project, "file"), "")

    for (const name of ["Upper Case", "full", "file", ""]) {
      const { code, stderr } = await pawl(["plugin", "new", name])
      expect({ name, code }).toEqual({ name, code: 2 })
      expect(stderr).toMatch(/invalid package name|is not empty|is a file/)
    }
  })
})

describe("pawl plugin add and remove", () => {
  it("edit the configuration, comments kept, and leave a project trusted that was", async () => {
    const { project, pawl } = await workplace()
    const file = join(project, "pawl.jsonc")
    await write(file, '{\n  // ours\n  "model": "a/b", // small\n  "plugin": ["notify"], // tells\n}\n')
    await write(join(project, "tools/a.ts"), PLUGIN)
    await pawl(["trust", "--yes"])

    const added = await pawl(["plugin", "add", "./tools/a.ts", "--options", '{"n":1}', "--format", "json"])
    const between = await readFile(file, "utf8")
    const listed = await pawl(["plugin", "list", "--format", "json"])
    const removed = await pawl(["plugin", "remove", "./tools/a.ts"])

    expect(jsonLines(added.stdout)).toEqual([
      { plugin: "./tools/a.ts", file, hooks: ["tool.execute.before"], tools: 1, trusted: true },
    ])
    expect(between).toContain("// ours")
    expect(between).toContain("// small")
    expect(jsonLines(listed.stdout)).toMatchObject([
      { plugin: "notify", kind: "own", trust: "trusted" },
      { plugin: "./tools/a.ts", kind: "file", trust: "trusted", options: { n: 1 } },
    ])
    expect(removed).toMatchObject({ code: 0, stderr: "./tools/a.ts is no longer in pawl.jsonc.\n" })
    expect(await readFile(file, "utf8")).toMatch(/"plugin": \[\s*"notify"\s*\], \/\/ tells/)
    expect((await pawl(["plugin", "list"])).stdout).toContain("trusted · pawl.jsonc")
  })

  it("take out every entry that means it", async () => {
    const { project, pawl } = await workplace()
    const file = join(project, "pawl.jsonc")
    await write(file, '{ "plugin": ["guard", "notify", ["@pawl/plugin-guard", {}]] }')

    const removed = await pawl(["plugin", "remove", "guard"])

    expect(removed.code).toBe(0)
    expect(JSON.parse(await readFile(file, "utf8"))).toEqual({ plugin: ["notify"] })
  })

  it("leave alone what was trusted of the same content elsewhere", async () => {
    const { project, pawl } = await workplace()
    const clone = join(project, "../clone")
    for (const place of [project, clone]) {
      await write(join(place, "pawl.jsonc"), "{}")
      await write(join(place, ".pawl/plugin/a.ts"), PLUGIN)
      await write(join(place, "b.ts"), PLUGIN)
      await mkdir(join(place, ".git"))
    }
    await pawl(["trust", "--yes"])

    const added = await pawl(["plugin", "add", "./b.ts", "--format", "json"], { directory: clone })
    const listed = await pawl(["plugin", "list", "--format", "json"])

    expect(jsonLines(added.stdout)).toMatchObject([{ trusted: false }])
    expect(jsonLines(listed.stdout)).toMatchObject([{ trust: "trusted" }])
  })

  it("write nothing of what does not work, and name what is wrong", async () => {
    const { project, configuration, pawl } = await workplace()
    await write(join(project, "broken.ts"), "throw new Error('boom')\n")

    const broken = await pawl(["plugin", "add", "./broken.ts"])
    const options = await pawl(["plugin", "add", "guard", "--options", "[1]"])
    const wrong = await pawl(["plugin", "add", "-g", "guard", "--options", '{"protect":"x"}'])
    const unknown = await pawl(["plugin", "remove", "acme"])
    const nobody = await pawl(["plugin", "doctor", "acme"])

    expect(broken.code).toBe(2)
    expect(broken.stderr).toMatch(/Nothing was written: Plugin \.\/broken\.ts .*boom/)
    expect(options.stderr).toContain("invalid value for --options: expected a JSON object: [1]")
    expect(wrong.stderr).toMatch(/Nothing was written: Plugin guard did not start/)
    expect(unknown.stderr).toMatch(/names no plugin "acme"\. It names: none\..*--global/)
    expect(nobody.stderr).toContain('unknown plugin "acme"')
    for (const place of [project, configuration])
      await expect(access(join(place, "pawl.jsonc"))).rejects.toThrow("ENOENT")
  })

  it("write into the user's own configuration with --global, which every project has then", async () => {
    const { configuration, pawl } = await workplace()

    await pawl(["plugin", "add", "-g", "notify", "--options", '{"after":60}'])
    await pawl(["plugin", "add", "--global", "@pawl/plugin-notify"])

    expect(JSON.parse(await readFile(join(configuration, "pawl.jsonc"), "utf8"))).toEqual({
      plugin: [["@pawl/plugin-notify", { after: 60 }]],
    })
    expect((await pawl(["plugin", "list"])).stdout).toContain("comes with pawl")
  })
})

it("pawl plugin doctor tries a plugin that does not load once", async () => {
  const { configuration, project, pawl } = await workplace()
  const tried = join(project, "tried")
  const broken = `import { appendFileSync } from "node:fs"\nappendFileSync(${JSON.stringify(tried)}, "x")\nthrow new Error("boom")`
  await write(join(configuration, "plugin/a.ts"), broken)
  await write(join(configuration, "plugin/b.ts"), PLUGIN)
  await write(join(configuration, "plugin/c.ts"), PLUGIN)

  const doctor = await pawl(["plugin", "doctor", "--format", "json"])

  expect(jsonLines(doctor.stdout)).toMatchObject([{ ok: false }, { ok: true }, { ok: true }])
  expect(await readFile(tried, "utf8")).toBe("x")
})

/** Modules of a plugin that returns this, in both forms. */
const FORMS = {
  pawl: (hooks: string) => `import { definePlugin } from "@pawl/plugin"\nexport default definePlugin(() => (${hooks}))`,
  OpenCode: (hooks: string) => `export const Acme = async () => (${hooks})`,
}

describe.each(Object.entries(FORMS))("a plugin in the form of %s", (_form, plugin) => {
  it("that returns something else than hooks fails in `plugin doctor`, and a run reports each mistake once", async () => {
    const { configuration, pawl } = await workplace()
    const hooks =
      '{ "tool.execute.befor": () => 1, "chat.mesage": () => 1, "permission.ask": "string", config: {}, tool: { x: 3 }, auth: 7 }'
    await write(join(configuration, "plugin/acme.ts"), plugin(hooks))
    await using server = await modelServer({ replies: [reply(text("Done."))] })

    const doctor = await pawl(["plugin", "doctor", "--format", "json"])
    const run = await pawl(["run", "-m", "custom/test", "--base-url", server.url, "go"])

    const mistakes = [
      '"tool.execute.before": "tool.execute.befor" is not a hook; did you mean "tool.execute.before"?',
      '"chat.message": "chat.mesage" is not a hook; did you mean "chat.message"?',
      '"permission.ask": expected a function, found "string"',
      '"config": expected a function, found an object',
      '"tool": "x" cannot be offered as a tool: give an object instead of 3.',
      '"auth": expected an object, found 7',
    ].toSorted()
    const [facts] = jsonLines(doctor.stdout) as { ok: boolean; problems: string[]; notices: string[] }[]
    expect([doctor.code, facts?.ok, facts?.notices]).toEqual([1, false, []])
    expect(facts?.problems.map((message) => message.split('acme.ts" failed in hook ')[1]).toSorted()).toEqual(mistakes)
    expect(run).toMatchObject({ code: 0, stdout: expect.stringContaining("Done.") })
    for (const mistake of mistakes) expect(run.stderr.split(mistake)).toHaveLength(2)
  })

  it("that returns no object fails in `plugin doctor`", async () => {
    const { configuration, pawl } = await workplace()
    await write(join(configuration, "plugin/acme.ts"), plugin('"hooks"'))

    expect(await pawl(["plugin", "doctor"])).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^✗ [^]*acme\.ts" failed in hook "start": it returned "hooks"/),
    })
  })
})

describe("packages", () => {
  async function place() {
    const there = await workplace()
    const registry = await testRegistry(acme("1.0.0"), {
      manifest: { name: "@pawl/plugin", version: "0.1.0" },
      files: {},
    })
    const environment = { ...registry.env, XDG_CACHE_HOME: join(there.data, "cache") } as Record<string, string>
    const server = await modelServer({ replies: ["One.", "Two.", "Three.", "Four."].map((each) => reply(text(each))) })
    return {
      ...{ ...there, registry, server },
      pawl: (...args: string[]) => there.pawl(args, { environment }),
      run: () => there.pawl(["run", "-m", "custom/test", "--base-url", server.url, "go"], { environment }),
      [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
    }
  }

  it("are installed, stay what they are until they are updated, and are listed with their version", async () => {
    await using here = await place()
    const added = await here.pawl("plugin", "add", "-g", "acme")
    await here.registry.publish(acme("1.1.0"))
    const listed = await here.pawl("plugin", "list")
    await here.run()
    const updated = await here.pawl("plugin", "update")
    await here.run()
    const missing = await here.pawl("plugin", "add", "-g", "acme-of-nobody")

    expect(added.stdout).toContain("Added acme 1.0.0 to ")
    expect(listed.stdout).toContain("version 1.0.0")
    expect(updated).toMatchObject({ code: 0, stdout: "acme: 1.0.0 -> 1.1.0\n" })
    expect(here.server.requests.map(({ body }) => /acme [\d.]+\d/.exec(JSON.stringify(body))?.[0])).toEqual([
      "acme 1.0.0",
      "acme 1.1.0",
    ])
    expect(missing.code).toBe(2)
    expect(missing.stderr).toContain("The registry has no acme-of-nobody")
  })

  it("of a project are part of what is trusted: another version is left out until that is trusted", async () => {
    await using here = await place()
    await write(join(here.project, "pawl.jsonc"), '{ "plugin": ["acme"] }')
    const untrusted = await here.run()
    const asked = here.registry.requests.length
    const trusted = await here.pawl("trust", "--yes")
    const first = await here.run()
    await here.registry.publish(acme("1.1.0"))
    const updated = await here.pawl("plugin", "update", "acme")
    const changed = await here.run()
    const listed = await here.pawl("plugin", "list")
    const again = await here.pawl("trust", "--yes")
    const last = await here.run()
    await write(join(here.project, "../clone/pawl.jsonc"), '{ "plugin": ["acme"] }')
    await here.registry.publish(acme("1.2.0"))
    await here.pawl("plugin", "update", "acme")
    const cloned = await here.pawl("trust", "--yes", "../clone")
    const elsewhere = await here.pawl("plugin", "list", "--format", "json", "--dir", "../clone")

    expect(untrusted.stderr).toContain("left out: plugin of pawl.jsonc")
    expect(asked).toBe(0)
    expect(trusted.stdout).toContain(
      "package acme: not installed yet; what it is when it is installed is what is trusted",
    )
    expect(first.stderr).not.toContain("acme")
    expect(updated.stderr).toContain("Trust the new version: pawl trust")
    expect(changed.stderr).toContain(
      "is left out: it was 1.0.0 when this project was trusted, and is 1.1.0 now. To allow it as it is: pawl trust",
    )
    expect(listed.stdout).toContain("not what was trusted: pawl trust")
    expect(again.stdout).toMatch(/package acme: version 1\.1\.0, sha256-.*\(changed\)/)
    expect(last.stderr).not.toContain("acme")
    expect(cloned.stdout).toContain("package acme: version 1.2.0")
    expect(jsonLines(elsewhere.stdout)).toMatchObject([{ trust: "trusted", version: "1.2.0" }])
    expect(here.server.requests.map(({ body }) => /acme [\d.]+\d/.exec(JSON.stringify(body))?.[0])).toEqual([
      undefined,
      "acme 1.0.0",
      undefined,
      "acme 1.1.0",
    ])
  })
})
