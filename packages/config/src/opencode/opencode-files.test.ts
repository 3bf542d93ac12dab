import { describe, expect, it } from "vitest"
import { fileTree, type FileTree } from "../../test/file-tree.ts"
import type { ReadConfigOptions } from "../options.ts"
import { readConfig } from "../read-config.ts"

const read = (tree: FileTree, options: Partial<ReadConfigOptions> = {}) =>
  readConfig({
    directory: tree.at("work/deep"),
    worktree: tree.at("work"),
    env: {},
    home: tree.at("home"),
    ...options,
  })

const sourcesOf = async (files: readonly string[], options?: Partial<ReadConfigOptions>) => {
  await using tree = await fileTree(Object.fromEntries(files.map((file) => [file, {}])))
  const { sources } = await read(tree, options)
  return sources.map((source) => source.slice(tree.root.length + 1))
}

describe("files for OpenCode", () => {
  it("are read, of the user and of the project, the nearest highest", async () => {
    const files = [
      "home/.config/opencode/config.json",
      "home/.config/opencode/opencode.json",
      "home/.config/opencode/opencode.jsonc",
      "home/.opencode/opencode.json",
      "work/opencode.json",
      "work/.opencode/opencode.jsonc",
      "work/deep/opencode.jsonc",
    ]

    expect(await sourcesOf(files)).toEqual(files)
  })

  it("do not count where a file of pawl's own stands, there alone", async () => {
    const files = [
      ...["home/.config/opencode/opencode.json", "home/.config/pawl/pawl.json"],
      ...["work/opencode.json", "work/.opencode/opencode.json", "work/pawl.jsonc", "work/deep/opencode.json"],
    ]

    expect(await sourcesOf(files)).toEqual([
      "home/.config/pawl/pawl.json",
      "work/pawl.jsonc",
      "work/deep/opencode.json",
    ])
  })

  it("of the user do not count where a variable names another directory", async () => {
    await using tree = await fileTree({ "home/.config/opencode/opencode.json": {} })
    expect((await read(tree, { env: { PAWL_CONFIG_DIR: tree.at("own") } })).sources).toEqual([])
  })

  it("are read when they are named, by their name in OpenCode's way", async () => {
    await using tree = await fileTree({ "home/opencode.json": { theme: "x", model: "a/b" } })
    const { config } = await read(tree, { file: "~/opencode.json" })
    expect(config).toEqual({ model: "a/b" })
  })

  it("make no agent summary, which is hidden there and would be one to choose here", async () => {
    const agent = { summary: { model: "a/b" }, title: { model: "a/c" } }
    await using tree = await fileTree({ "home/opencode.json": { agent } })
    const { config, layers } = await read(tree, { file: "~/opencode.json" })
    expect(config).toEqual({ agent: { title: { model: "a/c" } } })
    expect(layers[0]?.leftOut).toMatchObject([{ key: "agent.summary", reason: expect.stringContaining("compaction") }])
  })

  it("mean what they mean there, in pawl's keys", async () => {
    await using tree = await fileTree({
      "work/opencode.json": {
        $schema: "https://example.invalid/config.json",
        model: "acme/large",
        agents: { review: { mode: "subagent", tools: { write: false }, maxSteps: 3 } },
        commands: { hi: { template: "Hi." } },
        skills: ["./skills", "https://example.invalid/skills"],
        compaction: { auto: true, keep: { tokens: 100 }, buffer: 200 },
        mcp: { timeout: 9000, servers: { a: { type: "local", command: ["a"] }, b: { enabled: false } } },
        formatter: true,
        provider: {
          acme: { options: { timeout: false }, models: { large: { modalities: { input: ["text", "image"] } } } },
        },
        permission: { bash: { "git *": "allow" } },
      },
    })

    expect((await read(tree)).config).toEqual({
      $schema: "https://example.invalid/config.json",
      model: "acme/large",
      agent: { review: { mode: "subagent", permission: { edit: "deny" }, steps: 3 } },
      command: { hi: { template: "Hi." } },
      skills: { paths: ["./skills"] },
      compaction: { auto: true, preserve_recent_tokens: 100, reserved: 200 },
      mcp: { a: { type: "local", command: ["a"], timeout: 9000 }, b: { enabled: false } },
      provider: {
        acme: { options: { timeout: false }, models: { large: { modalities: { input: ["text", "image"] } } } },
      },
      permission: { bash: { "git *": "allow" } },
    })
  })

  it("keep their places, renamed keys as well", async () => {
    await using tree = await fileTree({ "work/opencode.json": '{\n  "agents": {\n    "a": { "maxSteps": 3 }\n  }\n}' })
    const [layer] = (await read(tree)).layers
    expect(layer?.positionOf(["agent", "a", "steps"])).toEqual({ line: 3, column: 12 })
  })

  it("are read without what is not known, which is listed with its place and with a reason where there is one", async () => {
    await using tree = await fileTree({
      "work/opencode.json":
        '{\n  "theme": "x",\n  "modle": "a/b",\n  "agents": { "a": { "colour": 1, "prompt": "Hi." } },\n  "skills": { "urls": ["https://x.invalid"] }\n}',
    })

    const { config, layers } = await read(tree)

    expect(config).toEqual({ agent: { a: { prompt: "Hi." } }, skills: {} })
    expect(layers.flatMap(({ leftOut }) => leftOut)).toEqual([
      { key: "theme", line: 2, column: 3, reason: "pawl has no such terminal interface" },
      { key: "modle", line: 3, column: 3 },
      { key: "agents.a.colour", line: 4, column: 22 },
      { key: "skills.urls", line: 5, column: 15, reason: "pawl fetches no skills: name directories" },
    ])
  })

  it("are read without what says the same a second time, or says it in no way, which is listed too", async () => {
    const server = (name: string) => ({ type: "local", command: [name] })
    await using tree = await fileTree({
      "work/opencode.json": {
        mcp: { servers: { a: server("below"), b: server("b") }, a: server("beside") },
        compaction: { keep: 5 },
        experimental: 1,
      },
    })

    const { config, layers } = await read(tree)

    expect(config).toEqual({ mcp: { a: server("beside"), b: server("b") }, compaction: {} })
    expect(layers.flatMap(({ leftOut }) => leftOut.map(({ key }) => key))).toEqual([
      ...["mcp.servers.a", "compaction.keep", "experimental"],
    ])
  })

  it.each([
    {
      text: '{ "agents": { "a": {\n "prompt": 5 } } }',
      says: "opencode.json:2:12: agent.a.prompt must be a string, got a number.",
    },
    { text: '{ "permission": "alow" }', says: 'Did you mean "allow"?' },
    { text: "{", says: "opencode.json:1:" },
    { text: '{ "mcp": { "servers": { "__proto__": {} } } }', says: 'opencode.json:1:25: The key "__proto__" is not' },
  ])("are as wrong as pawl's own where they are wrong: $text", async ({ text, says }) => {
    await using tree = await fileTree({ "work/opencode.json": text })
    await expect(read(tree)).rejects.toThrow(says)
  })

  it("get references replaced as others of their place do", async () => {
    await using tree = await fileTree({ "work/opencode.json": { agents: { a: { prompt: "{env:P}" } } } })
    const env = { P: "Hi." }
    const [layer] = (await read(tree, { env })).layers
    expect(layer?.config.agent).toEqual({ a: { prompt: "Hi." } })
    expect(layer?.written?.agent).toEqual({ a: { prompt: "{env:P}" } })
    expect((await read(tree, { env, substitute: { project: false } })).config.agent).toEqual({
      a: { prompt: "{env:P}" },
    })
  })
})

it("reads a file of very many unknown keys and instructions in no more time than one of its size takes", async () => {
  const count = 5000
  const names = Array.from({ length: count }, (_, index) => `k${index}`)
  const unknown = Object.fromEntries(names.map((name) => [name, 1]))
  await using tree = await fileTree({
    "work/opencode.json": { ...unknown, instructions: names },
    "work/.opencode/opencode.json": { instructions: [...names, "last"], plugin: names },
    "work/deep/opencode.json": { plugin: [...names, "last"] },
  })

  const { config, layers } = await read(tree)

  expect(layers[0]?.leftOut).toHaveLength(count)
  expect(config.instructions).toHaveLength(count + 1)
  expect(config.plugin).toHaveLength(count + 1)
})
