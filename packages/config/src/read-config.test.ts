import { execFileSync } from "node:child_process"
import { mkdir, symlink } from "node:fs/promises"
import { describe, expect, it } from "vitest"
import { type FileTree, fileTree } from "../test/file-tree.ts"
import { ConfigError } from "./config-error.ts"
import type { ReadConfigOptions } from "./options.ts"
import { readConfig } from "./read-config.ts"

/** The tree's `home` and `work`; `work/app/src` is the directory and `work` the worktree. */
async function read(tree: FileTree, options: Partial<ReadConfigOptions> = {}) {
  await mkdir(tree.at("work/app/src"), { recursive: true })
  return await readConfig({
    directory: tree.at("work/app/src"),
    worktree: tree.at("work"),
    env: {},
    home: tree.at("home"),
    ...options,
  })
}

async function failure(reading: Promise<unknown>): Promise<ConfigError> {
  const error: unknown = await reading.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (error instanceof ConfigError) return error
  throw new Error("Expected a ConfigError.", { cause: error })
}

describe("readConfig: sources", () => {
  it("is empty where there is nothing", async () => {
    await using tree = await fileTree()
    expect(await read(tree)).toEqual({ config: {}, sources: [], layers: [], origins: new Map() })
  })

  it("ranks global, named file, project from the root down, inline content and overrides", async () => {
    const ranks = ["global", "theirs", "named", "root", "app", "src", "their content", "content", "overrides"]
    // Each source claims its own header and those of all higher ranks: its own stays its own, the others are taken over.
    const claim = (rank: string) => {
      const headers = Object.fromEntries(ranks.slice(ranks.indexOf(rank)).map((name) => [name, rank]))
      return { provider: { p: { options: { headers } } } }
    }
    await using tree = await fileTree({
      "home/.config/pawl/pawl.jsonc": claim("global"),
      "theirs.json": claim("theirs"),
      "named.jsonc": claim("named"),
      "work/pawl.jsonc": claim("root"),
      "work/app/pawl.json": claim("app"),
      "work/app/src/pawl.jsonc": claim("src"),
      "pawl.jsonc": { model: "outside/worktree" },
    })
    const env = {
      OPENCODE_CONFIG: tree.at("theirs.json"),
      PAWL_CONFIG: tree.at("named.jsonc"),
      OPENCODE_CONFIG_CONTENT: JSON.stringify(claim("their content")),
      PAWL_CONFIG_CONTENT: JSON.stringify(claim("content")),
    }
    const { config, sources, origins } = await read(tree, { env, overrides: claim("overrides") })

    const headers = Object.fromEntries(ranks.map((rank) => [rank, rank]))
    expect(config).toEqual({ provider: { p: { options: { headers } } } })
    expect(sources).toEqual([
      tree.at("home/.config/pawl/pawl.jsonc"),
      tree.at("theirs.json"),
      tree.at("named.jsonc"),
      tree.at("work/pawl.jsonc"),
      tree.at("work/app/pawl.json"),
      tree.at("work/app/src/pawl.jsonc"),
      "OPENCODE_CONFIG_CONTENT",
      "PAWL_CONFIG_CONTENT",
      "overrides",
    ])
    expect([...origins.values()].toSorted()).toEqual(sources.toSorted())
  })

  it("gives what each source says by itself", async () => {
    await using tree = await fileTree({
      "home/.config/pawl/pawl.json": { permission: { bash: "deny" } },
      "work/pawl.json": { permission: { bash: "allow" } },
    })
    const { config, layers } = await read(tree)
    expect(config).toEqual({ permission: { bash: "allow" } })
    expect(layers.map(({ source, config: own }) => [source, own])).toEqual([
      [tree.at("home/.config/pawl/pawl.json"), { permission: { bash: "deny" } }],
      [tree.at("work/pawl.json"), { permission: { bash: "allow" } }],
    ])
  })

  it("tells where each source says something", async () => {
    await using tree = await fileTree({
      "work/pawl.jsonc":
        '{\n  "permission": { "edit": "ask",\n    "bash": { "git *": "allow" } }, // yes\n  "instructions": ["a",\n "b"],\n' +
        '  "tools": { "write": false, "fetch_*": false },\n  "mode": { "m": { "steps": 1 } },\n  "agent": {\n' +
        '    "a": { "maxSteps": 3, "tools": { "*": false,\n "read": true }, "permission": "ask" } }\n}',
    })
    const { layers } = await read(tree, { overrides: { model: "a/b" } })
    const at = (...key: (string | number)[]) => layers[0]?.positionOf(key)
    expect(at("permission")).toEqual({ line: 2, column: 3 })
    expect(at("permission", "bash", "git *")).toEqual({ line: 3, column: 15 })
    expect(at("instructions", 1)).toEqual({ line: 5, column: 2 })
    // What permissions say themselves comes before deprecated ways to say it.
    expect(at("permission", "edit")).toEqual({ line: 2, column: 19 })
    expect(at("permission", "fetch_*")).toEqual({ line: 6, column: 30 })
    expect(at("agent", "m", "steps")).toEqual({ line: 7, column: 20 })
    expect(at("agent", "a", "steps")).toEqual({ line: 9, column: 12 })
    expect(at("agent", "a", "permission", "read")).toEqual({ line: 10, column: 2 })
    for (const key of [["model"], ["permission", "none"], ["instructions", 2], ["agent", "m", "mode"]]) {
      expect(at(...key)).toBeUndefined()
    }
    expect(layers[1]?.positionOf(["model"])).toBeUndefined()
  })

  it("reads the keys of old as those of today", async () => {
    const agent = { maxSteps: 3, tools: { write: false }, delegates: { bash: ["ls", "pwd"], edit: "*" } } as const
    await using tree = await fileTree({
      "home/.config/pawl/pawl.json": { agent: { a: agent }, mode: { m: { steps: 1 } }, tools: { bash: false } },
      "work/pawl.json": { permission: { bash: "ask" }, agent: { m: { mode: "all" } } },
    })
    const { config, origins } = await read(tree)
    expect(config).toEqual({
      permission: { bash: "ask" },
      agent: {
        a: {
          ...{ steps: 3, permission: { edit: "deny" } },
          delegates: [
            { permission: "bash", pattern: "ls" },
            { permission: "bash", pattern: "pwd" },
            { permission: "edit", pattern: "*" },
          ],
        },
        m: { mode: "all", steps: 1 },
      },
    })
    expect(origins.get("agent.m.steps")).toBe(tree.at("home/.config/pawl/pawl.json"))
  })

  it("reads pawl.json and pawl.jsonc of one directory, the latter winning", async () => {
    await using tree = await fileTree({
      "work/pawl.jsonc": '{ "model": "from/jsonc" } // yes',
      "work/pawl.json": { model: "from/json", default_agent: "json" },
    })
    expect((await read(tree)).config).toEqual({ model: "from/jsonc", default_agent: "json" })
  })

  it("reads only the directory without a worktree", async () => {
    await using tree = await fileTree({
      "work/app/pawl.jsonc": { model: "above/no" },
      "work/app/src/pawl.jsonc": { default_agent: "here" },
    })
    expect((await read(tree, { worktree: undefined })).config).toEqual({ default_agent: "here" })
  })

  it("follows PAWL_CONFIG_DIR and XDG_CONFIG_HOME, and then needs no home", async () => {
    await using tree = await fileTree({ "own/pawl.jsonc": { data: "own" }, "xdg/pawl/pawl.jsonc": { data: "xdg" } })
    const own = { PAWL_CONFIG_DIR: tree.at("own"), XDG_CONFIG_HOME: tree.at("xdg") }
    expect((await read(tree, { env: own, home: undefined })).config).toEqual({ data: "own" })
    const xdg = { XDG_CONFIG_HOME: tree.at("xdg") }
    expect((await read(tree, { env: xdg, home: undefined })).config).toEqual({ data: "xdg" })
    expect((await failure(read(tree, { home: undefined }))).message).toMatch(/Set HOME, .* or PAWL_CONFIG_DIR\.$/)
  })

  it("finds the named file relative to the directory or below the home; the option goes before the variable", async () => {
    await using tree = await fileTree({ "work/app/a.jsonc": { data: "a" }, "home/b.jsonc": { data: "b" } })
    expect((await read(tree, { env: { PAWL_CONFIG: "../a.jsonc" } })).config).toEqual({ data: "a" })
    expect((await read(tree, { env: { PAWL_CONFIG: "../a.jsonc" }, file: "~/b.jsonc" })).config).toEqual({ data: "b" })
    expect((await read(tree, { env: { PAWL_CONFIG: "" } })).config).toEqual({})
  })

  it("counts a file that is met twice once, at its highest rank", async () => {
    await using tree = await fileTree({ "work/pawl.jsonc": { data: "root" }, "work/app/pawl.jsonc": { data: "app" } })
    const { config, sources } = await read(tree, {
      env: { PAWL_CONFIG_DIR: tree.at("work/app"), PAWL_CONFIG: tree.at("work/app/pawl.jsonc") },
    })
    expect(sources).toEqual([tree.at("work/pawl.jsonc"), tree.at("work/app/pawl.jsonc")])
    expect(config).toEqual({ data: "app" })
  })

  it("takes an undefined override for none and a file that says nothing for an empty one", async () => {
    await using tree = await fileTree({ "work/pawl.jsonc": "\uFEFF", "work/app/pawl.jsonc": "// later\n" })
    const { config, sources } = await read(tree, { overrides: { model: undefined, data: undefined } })
    expect(config).toEqual({})
    expect(sources).toEqual([tree.at("work/pawl.jsonc"), tree.at("work/app/pawl.jsonc")])
  })

  it("refuses a directory outside the worktree, and relative ones", async () => {
    await using tree = await fileTree()
    const outside = await failure(read(tree, { directory: tree.at("other") }))
    expect(outside.message).toContain(`${tree.at("other")} is not inside its worktree ${tree.at("work")}`)
    await expect(read(tree, { directory: "src" })).rejects.toThrow(TypeError)
  })
})

describe("readConfig: substitution", () => {
  it("replaces references by default, files beside the file that names them, and nothing in overrides", async () => {
    await using tree = await fileTree({
      "home/.config/pawl/key.txt": "global key\n",
      "home/.config/pawl/pawl.jsonc": { provider: { a: { options: { apiKey: "{file:key.txt}" } } } },
      "work/app/src/key.txt": "content key\n",
    })
    const { config } = await read(tree, {
      env: {
        NAME: "Ada",
        PAWL_CONFIG_CONTENT: '{ "provider": { "b": { "options": { "apiKey": "{file:key.txt}" } } } }',
      },
      overrides: { agent: { a: { prompt: "Replace {env:NAME}." } } },
    })
    expect(config).toEqual({
      provider: { a: { options: { apiKey: "global key" } }, b: { options: { apiKey: "content key" } } },
      agent: { a: { prompt: "Replace {env:NAME}." } },
    })
  })

  it("leaves references as they are where it is switched off", async () => {
    await using tree = await fileTree({
      "home/.config/pawl/pawl.jsonc": { data: "{env:SECRET}" },
      "work/pawl.jsonc": { default_agent: "{env:SECRET}", instructions: ["{file:missing}"] },
    })
    const env = { SECRET: "s" }
    const untrusted = await read(tree, { env, substitute: { project: false } })
    expect(untrusted.config).toEqual({ data: "s", default_agent: "{env:SECRET}", instructions: ["{file:missing}"] })
    const off = await read(tree, { env, substitute: false })
    expect(off.config.data).toBe("{env:SECRET}")
  })

  it("reports a missing file at its value, and not also the value", async () => {
    await using tree = await fileTree({ "work/pawl.jsonc": '{\n  "model": "{file:model.txt}"\n}' })
    const error = await failure(read(tree))
    expect(error.problems).toEqual([
      {
        file: tree.at("work/pawl.jsonc"),
        line: 2,
        column: 12,
        path: "model",
        message: `${tree.at("work/pawl.jsonc")}:2:12: {file:model.txt}: the file ${tree.at("work/model.txt")} does not exist.`,
      },
    ])
  })
})

describe("readConfig: errors", () => {
  it("names file, line, column and key", async () => {
    const text = '{\n  // local\n  "provider": { "local": { "options": {\n    "baseURL": 5\n  } } }\n}'
    await using tree = await fileTree({ "work/app/src/pawl.jsonc": text })
    const error = await failure(read(tree))
    expect(error).toMatchObject({
      name: "ConfigError",
      file: tree.at("work/app/src/pawl.jsonc"),
      line: 4,
      column: 16,
      path: "provider.local.options.baseURL",
      message: "pawl.jsonc:4:16: provider.local.options.baseURL must be a string, got a number.",
    })
  })

  it.each([
    { text: '{ "modle": "a/b" }', message: 'pawl.jsonc:1:3: Unknown key "modle". Did you mean "model"?' },
    { text: '{ "data": "a" "model": "b/c" }', message: 'pawl.jsonc:1:15: Expected "," before "model".' },
    {
      text: '{ "data": "a", "data": "b" }',
      message: "pawl.jsonc:1:16: Duplicate key data: it is already on line 1. Remove one.",
    },
    { text: '{ "agent": { "__proto__": {} } }', message: 'pawl.jsonc:1:14: The key "__proto__" is not allowed.' },
    { text: "[]", message: "pawl.jsonc:1:1: The configuration must be an object, got an array." },
    { text: '\uFEFF{ "data": 1 }', message: "pawl.jsonc:1:11: data must be a string, got a number." },
    {
      text: '{ "agent": { "🪵🪵": { "steps": 0 } } }',
      message: 'pawl.jsonc:1:31: agent["🪵🪵"].steps must be a whole number above 0, got 0.',
    },
    {
      text: '{ "provider": { "p": { "models": { "m": {\n "limit": { "context": 1 } } } } } }',
      message:
        "pawl.jsonc:2:11: provider.p.models.m.limit.output is missing: it must be a whole number of tokens, 0 or more.",
    },
  ])("says $message", async ({ text, message }) => {
    await using tree = await fileTree({ "work/app/src/pawl.jsonc": text })
    const error = await failure(read(tree))
    expect(error.message).toBe(message)
    expect(error.problems).toHaveLength(1)
  })

  it("reports all problems of all sources, in the order of sources and lines", async () => {
    await using tree = await fileTree({
      "home/.config/pawl/pawl.jsonc": '{ "modle": "a/b" }',
      "work/app/src/pawl.json": "{",
      "work/app/src/pawl.jsonc":
        '{\n  "zeta": 1,\n  "model": 2,\n  "data": "a",\n  "data": "b",\n  "storage": "{file:url}"\n}',
    })
    const error = await failure(
      read(tree, {
        env: { PAWL_CONFIG: "none.jsonc", PAWL_CONFIG_CONTENT: '{ "plugin": {} }' },
        overrides: { model: "gpt" },
      }),
    )
    expect(error.message.split("\n").map((line) => line.split(" ").slice(0, 3).join(" "))).toEqual([
      "~/.config/pawl/pawl.jsonc:1:3: Unknown key",
      "none.jsonc: The file",
      'pawl.json:1:2: Expected "}",',
      "pawl.jsonc:2:3: Unknown key",
      "pawl.jsonc:3:12: model must",
      "pawl.jsonc:5:3: Duplicate key",
      "pawl.jsonc:6:14: {file:url}: the",
      "PAWL_CONFIG_CONTENT:1:13: plugin must",
      "overrides: model must",
    ])
    expect(error.problems).toHaveLength(9)
    expect(error.problems[0]).toMatchObject({ path: "modle", line: 1, column: 3 })
    expect(error.problems[1]).toEqual({
      file: tree.at("work/app/src/none.jsonc"),
      message: "none.jsonc: The file does not exist. Name another one, by --config or PAWL_CONFIG.",
    })
    expect(error.problems.at(-1)).toEqual({
      file: "overrides",
      path: "model",
      message: 'overrides: model must be "provider/model", got "gpt".',
    })
  })

  it("refuses a permission pattern that would lose its place, naming line and next step", async () => {
    const text = '{ "permission": { "edit": {\n  "*": "allow",\n  "2024": "deny" } } }'
    await using tree = await fileTree({ "work/app/src/pawl.jsonc": text })
    const { problems } = await failure(read(tree))
    expect(problems).toMatchObject([{ line: 3, column: 3, path: "permission.edit.2024" }])
    expect(problems[0]?.message).toMatch(/^pawl\.jsonc:3:3: permission\.edit\.2024 .*"2024\*"\.$/)
  })

  it("reads PAWL_CONFIG_CONTENT with a byte order mark", async () => {
    await using tree = await fileTree()
    expect((await read(tree, { env: { PAWL_CONFIG_CONTENT: '\uFEFF{ "data": "a" }' } })).config).toEqual({ data: "a" })
  })

  it("lists the first 20 problems of very many", async () => {
    const keys = Array.from({ length: 30_000 }, (_, index) => `  "k${index}": 1,\n`).join("")
    await using tree = await fileTree({ "work/app/src/pawl.jsonc": `{\n${keys}}` })
    const { message, problems } = await failure(read(tree))

    const lines = message.split("\n")
    expect(lines).toHaveLength(21)
    expect(lines[19]).toMatch(/^pawl\.jsonc:21:3: Unknown key "k19"\./)
    expect(lines[20]).toBe("… and 29980 more.")
    expect(problems).toHaveLength(30_000)
    expect(problems.at(-1)).toMatchObject({ line: 30_001, column: 3 })
  })

  it.skipIf(process.platform === "win32")(
    "does not wait for what stands in the place of a file: a named pipe",
    async () => {
      await using tree = await fileTree({ "work/app/src/x": "" })
      execFileSync("mkfifo", [tree.at("work/app/src/pawl.jsonc")])
      expect((await failure(read(tree))).message).toBe(
        "pawl.jsonc: The file is not a regular file. Remove it or put a configuration file in its place.",
      )
    },
  )

  it("reports what stands in the place of a file: a directory, a broken link, other text", async () => {
    await using tree = await fileTree({ "work/app/pawl.jsonc": new Uint8Array([0xff, 0xfe, 0x7b, 0]) })
    await mkdir(tree.at("work/pawl.jsonc"))
    await mkdir(tree.at("home/.config/pawl"), { recursive: true })
    await symlink("gone.jsonc", tree.at("home/.config/pawl/pawl.jsonc"))
    const { problems } = await failure(read(tree, { directory: tree.at("work") }))
    expect(problems.map(({ message }) => message)).toEqual([
      "~/.config/pawl/pawl.jsonc: The file is a link to a file that does not exist. Remove it or put a configuration file in its place.",
      "pawl.jsonc: The file is a directory, not a file. Remove it or put a configuration file in its place.",
    ])
    const nearer = await failure(read(tree, { directory: tree.at("work/app"), worktree: tree.at("work/app") }))
    expect(nearer.message).toContain("pawl.jsonc: The file is not UTF-8 text.")
  })

  it("follows a link to a file", async () => {
    await using tree = await fileTree({ "dotfiles/pawl.jsonc": { data: "linked" }, "home/.config/pawl/x": "" })
    await symlink(tree.at("dotfiles/pawl.jsonc"), tree.at("home/.config/pawl/pawl.jsonc"))
    expect((await read(tree)).config).toEqual({ data: "linked" })
  })
})
