import { execFileSync } from "node:child_process"
import { chmod, mkdir, symlink } from "node:fs/promises"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { type FileTree, fileTree } from "../../test/file-tree.ts"
import type { ReadDefinitionsOptions } from "./options.ts"
import { readDefinitions } from "./read-definitions.ts"

/** The tree's `home` and `work`; `work/app` is the directory and `work` the worktree. */
async function read(tree: FileTree, options: Partial<ReadDefinitionsOptions> = {}) {
  await mkdir(tree.at("work/app"), { recursive: true })
  return await readDefinitions({
    ...{ directory: tree.at("work/app"), worktree: tree.at("work"), env: {}, home: tree.at("home") },
    ...options,
  })
}

const skill = (name: string) => `---\nname: ${name}\ndescription: For ${name}.\n---\nDo ${name}.`

describe("definitions", () => {
  it("are none where there are none, whatever the directories are", async () => {
    await using tree = await fileTree({
      "work/.pawl": "a file",
      "work/.opencode/agent": "a file",
      "home/.claude/x": "",
    })
    await mkdir(tree.at("work/.pawl-not/agent"), { recursive: true })
    expect(await read(tree)).toEqual({ agents: [], commands: [], skills: [], tools: [], plugins: [], problems: [] })
  })

  it("of a project are read up to 16 MiB, and those of the user whatever a project brings", async () => {
    const large = "x".repeat(250_000)
    const files = Array.from({ length: 90 }, (_, index) => [`work/.claude/commands/c${index}.md`, large] as const)
    await using tree = await fileTree({
      ...Object.fromEntries(files),
      "home/.pawl/x": "",
      "home/.opencode/agent/mine.md": "Mine.",
    })
    const { agents, commands, problems } = await read(tree)
    expect(agents.map(({ name }) => name)).toEqual(["mine"])
    expect(commands.length).toBeGreaterThan(66)
    expect(commands.length).toBeLessThan(90)
    expect(problems).toHaveLength(90 - commands.length)
    expect(problems[0]?.message).toContain("The project has more than 16 MiB of such files")
  })

  it("are found in every folder, by the path below it", async () => {
    await using tree = await fileTree({
      "work/.pawl/agent/a.md": "A.",
      "work/.pawl/agents/deep/b.md": "B.",
      "work/.pawl/mode/c.md": "C.",
      "work/.pawl/modes/d.md": "D.",
      "work/.pawl/modes/deep/no.md": "No.",
      "work/.pawl/command/e.md": "E.",
      "work/.pawl/commands/deep/er/f.md": "F.",
      "work/.pawl/skill/g/SKILL.md": skill("g"),
      "work/.pawl/skills/deep/h/SKILL.md": skill("h"),
      "work/.pawl/skills/deep/h/inner/SKILL.md": skill("no"),
      "work/.pawl/skills/x/skill.md": skill("no"),
      "work/.pawl/tool/i.ts": "throw 1",
      "work/.pawl/tools/j.mjs": "throw 1",
      "work/.pawl/tools/k.js": "throw 1",
      "work/.pawl/tools/k.d.ts": "",
      "work/.pawl/tools/no.py": "",
      "work/.pawl/tools/deep/no.ts": "",
      "work/.pawl/agent/README.md": "No.",
      "work/.pawl/agent/.hidden.md": "No.",
      "work/.pawl/agent/notes.txt": "No.",
      "work/.pawl/agent/node_modules/p/no.md": "No.",
    })
    const { agents, commands, skills, tools, problems } = await read(tree)
    expect(problems).toEqual([])
    expect(agents.map(({ name, config }) => [name, config])).toEqual([
      ["a", { prompt: "A." }],
      ["c", { prompt: "C.", mode: "primary" }],
      ["d", { prompt: "D.", mode: "primary" }],
      ["deep/b", { prompt: "B." }],
    ])
    expect(commands.map(({ name, template }) => [name, template])).toEqual([
      ["deep/er/f", "F."],
      ["e", "E."],
    ])
    expect(skills).toEqual([
      {
        ...{ name: "g", description: "For g.", content: "Do g.", isProject: true },
        ...{ source: tree.at("work/.pawl/skill/g/SKILL.md"), directory: tree.at("work/.pawl/skill/g") },
      },
      expect.objectContaining({ name: "h" }),
    ])
    expect(tools.map(({ name, source }) => [name, path.basename(source)])).toEqual([
      ["i", "i.ts"],
      ["j", "j.mjs"],
      ["k", "k.js"],
    ])
  })

  it("rank from what is written for other programs to the nearest .pawl", async () => {
    const places = [
      "home/.claude",
      "work/.claude",
      "work/app/.claude",
      "home/.config/opencode",
      "home/.config/pawl",
      "home/.opencode",
      "work/.opencode",
      "work/.pawl",
      "work/app/.opencode",
      "work/app/.pawl",
    ]
    await using tree = await fileTree(
      Object.fromEntries(
        places.flatMap((place, rank) => [
          [`${place}/agents/all.md`, place],
          // Each has one of its own and those of all lower ones.
          ...places.slice(rank).map((_, each) => [`${place}/commands/c${each + rank}.md`, place]),
        ]),
      ),
    )
    const { agents, commands, problems } = await read(tree)
    expect(agents.map(({ name, source, isProject }) => [name, source, isProject])).toEqual([
      ["all", tree.at("work/app/.pawl/agents/all.md"), true],
    ])
    expect(agents[0]?.replaces.map(({ config }) => config.prompt)).toEqual(places.slice(0, -1))
    expect(agents[0]?.replaces.map(({ isProject }) => isProject)).toEqual([
      ...[false, true, true, false, false, false, true, true, true],
    ])
    expect(commands.map(({ template }) => template)).toEqual(places)
    expect(problems.every(({ severity }) => severity === "warning")).toBe(true)
    expect(problems.find(({ file }) => file === agents[0]?.source)?.message).toBe(
      `.pawl/agents/all.md: The agent "all" takes the place of the one in .opencode/agents/all.md.`,
    )
  })

  it("come from XDG_CONFIG_HOME and PAWL_CONFIG_DIR, and then need no home", async () => {
    await using tree = await fileTree({
      "xdg/opencode/command/a.md": "A",
      "xdg/pawl/command/b.md": "B",
      "own/command/c.md": "C",
    })
    const names = async (env: ReadDefinitionsOptions["env"]) =>
      (await read(tree, { env, home: undefined })).commands.map(({ name }) => name)
    expect(await names({ XDG_CONFIG_HOME: tree.at("xdg") })).toEqual(["a", "b"])
    expect(await names({ XDG_CONFIG_HOME: tree.at("xdg"), PAWL_CONFIG_DIR: tree.at("own") })).toEqual(["a", "c"])
    await expect(read(tree, { home: undefined })).rejects.toThrow("There is no home directory")
  })

  it("of the user stay the user's own where the project is the home directory", async () => {
    await using tree = await fileTree({
      "home/.claude/agents/a.md": "A",
      "home/.opencode/agent/b.md": "B",
      "home/.pawl/agent/c.md": "C",
    })
    const { agents, problems } = await read(tree, { directory: tree.at("home"), worktree: tree.at("home") })
    expect(agents.map(({ name, isProject }) => [name, isProject])).toEqual([
      ["a", false],
      ["b", false],
      ["c", true],
    ])
    expect(problems).toEqual([])
  })

  it("replace each other as a whole, in one directory too", async () => {
    await using tree = await fileTree({
      "work/.pawl/agent/a.md": "---\ndescription: First.\npermission: deny\n---\nFirst.",
      "work/.pawl/agents/a.md": "Second.",
      "work/.pawl/tool/t.js": "",
      "work/.pawl/tool/t.ts": "",
    })
    const { agents, tools, problems } = await read(tree)
    expect(agents).toMatchObject([
      { config: { prompt: "Second." }, rules: [], replaces: [{ rules: [{ action: "deny" }] }] },
    ])
    expect(tools).toMatchObject([{ source: tree.at("work/.pawl/tool/t.ts") }])
    expect(problems.map(({ message }) => message)).toEqual([
      `${tree.at("work/.pawl/agents/a.md")}: The agent "a" takes the place of the one in ${tree.at("work/.pawl/agent/a.md")}.`,
      `${tree.at("work/.pawl/tool/t.ts")}: The tool "t" takes the place of the one in ${tree.at("work/.pawl/tool/t.js")}.`,
    ])
  })
})

describe("an agent", () => {
  it("has what its front matter says, with the lines of its rules", async () => {
    const written = `---
name: review
description: Reviews: thoroughly.
mode: subagent
model: local/small
temperature: 0.2
top_p: 1
maxSteps: 7
hidden: true
disable: false
color: "#ff8800"
delegates: { bash: [git log, "git diff *"] }
variant:
tools:
  write: false
  read: true
permission:
  webfetch: deny
  bash:
    "*": ask
    "git *": allow
---

Review.
`
    await using tree = await fileTree({ "home/.config/pawl/agent/x.md": written })
    const { agents, problems } = await read(tree)
    expect(problems).toEqual([])
    expect(agents).toEqual([
      {
        ...{ name: "review", source: tree.at("home/.config/pawl/agent/x.md"), isProject: false },
        ...{ onlyTightens: false, replaces: [] },
        config: {
          ...{
            description: "Reviews: thoroughly.",
            mode: "subagent",
            model: "local/small",
            temperature: 0.2,
            top_p: 1,
          },
          ...{ steps: 7, hidden: true, disable: false, color: "#ff8800", prompt: "Review." },
          delegates: [
            { permission: "bash", pattern: "git log" },
            { permission: "bash", pattern: "git diff *" },
          ],
        },
        rules: [
          { permission: "edit", pattern: "*", action: "deny", line: 15 },
          { permission: "webfetch", pattern: "*", action: "deny", line: 18 },
          { permission: "bash", pattern: "*", action: "ask", line: 20 },
          { permission: "bash", pattern: "git *", action: "allow", line: 21 },
        ],
      },
    ])
  })

  it("may have its prompt in the front matter; the text below wins", async () => {
    await using tree = await fileTree({
      "work/.pawl/agent/a.md": "---\nprompt: Above.\n---\n",
      "work/.pawl/agent/b.md": "---\nprompt: Above.\n---\nBelow.",
    })
    const { agents, problems } = await read(tree)
    expect(agents.map(({ config }) => config.prompt)).toEqual(["Above.", "Below."])
    expect(problems).toMatchObject([{ severity: "warning", line: 2, column: 1, path: "prompt" }])
  })

  it("does without keys that are not known, and says so", async () => {
    await using tree = await fileTree({
      "work/app/.pawl/agent/a.md": "---\ndescripton: A\nreasoningEffort: high\n---\nA.",
    })
    const { agents, problems } = await read(tree)
    expect(agents).toMatchObject([{ config: { prompt: "A." } }])
    expect(problems.map(({ severity, message }) => [severity, message])).toEqual([
      ["warning", '.pawl/agent/a.md:2:1: The key "descripton" does nothing here. Did you mean "description"?'],
      ["warning", '.pawl/agent/a.md:3:1: The key "reasoningEffort" does nothing here. Remove it.'],
    ])
  })

  it("is left out where a value is wrong: nobody knows what it was to be kept from", async () => {
    const written =
      "---\nmode: main\nsteps: 0\npermission:\n  bash: never\n  2024: deny\n  edit:\n    __proto__: allow\n---\nA."
    await using tree = await fileTree({ "work/app/.pawl/agent/a.md": written })
    const { agents, problems } = await read(tree)
    expect(agents).toEqual([])
    expect(problems.map(({ severity, message }) => `${severity} ${message}`)).toEqual([
      'error .pawl/agent/a.md:2:7: mode must be "primary", "subagent" or "all", got "main".',
      "error .pawl/agent/a.md:3:8: steps must be a whole number above 0, got 0.",
      'error .pawl/agent/a.md:5:9: permission.bash must be "allow", "ask", "deny" or an object of patterns, got "never".',
      expect.stringContaining("error .pawl/agent/a.md:6:3: permission.2024 would lose its place"),
      'error .pawl/agent/a.md:8:5: The key "__proto__" is not allowed.',
    ])
  })

  it("of Claude Code has the tools it lists, and nothing is approved by that", async () => {
    await using tree = await fileTree({
      "home/.claude/agents/Any Name.md":
        "---\nname: test-runner\ndescription: Use this agent when: tests fail.\\n\\n<example>\ntools: Read, Bash(npm test:*), mcp__git__log, mcp__web, Custom\nmodel: sonnet\ncolor: pink\npermissionMode: plan\n---\nRun tests.",
      "home/.claude/agents/free.md": "---\nmodel: inherit\ndisallowedTools: [Write]\n---\nAll.",
      "home/.claude/agents/odd.md": "---\ntools: {a: b}\n---\nOdd.",
    })
    const { agents, problems } = await read(tree)
    expect(problems.map(({ message }) => message)).toEqual([
      `${tree.at("home/.claude/agents/odd.md").replace(tree.at("home"), "~")}:2:8: tools must be names of tools with commas between them.`,
    ])
    expect(agents.map(({ name, config, onlyTightens }) => ({ name, config, onlyTightens }))).toEqual([
      { name: "free", config: { mode: "subagent", prompt: "All." }, onlyTightens: true },
      {
        name: "test-runner",
        config: {
          mode: "subagent",
          description: String.raw`Use this agent when: tests fail.\n\n<example>`,
          prompt: "Run tests.",
        },
        onlyTightens: true,
      },
    ])
    const rules = agents.map((agent) =>
      agent.rules.map(({ permission, pattern, action, line }) => `${line} ${action} ${permission} ${pattern}`),
    )
    expect(rules).toEqual([
      ["3 deny edit *"],
      [
        "4 deny * *",
        "4 allow doom_loop *",
        "4 allow external_directory *",
        "4 allow protected_file *",
        "4 allow read *",
        "4 allow bash npm test *",
        "4 allow git_log *",
        "4 allow web_* *",
        "4 allow Custom *",
      ],
    ])
  })
})

describe("a command", () => {
  it("has what its front matter says", async () => {
    await using tree = await fileTree({
      "work/.opencode/command/fix.md":
        "---\ndescription: Fixes.\nagent: build\nmodel: a/b\nsubtask: true\nvariant: high\ncolour: x\n---\nFix $1. !`git status` @README.md",
      "home/.claude/commands/front/end.md":
        "---\ndescription: [odd]\nargument-hint: '[file]'\nallowed-tools: Bash(*)\nmodel: opus\n---\nLook at $ARGUMENTS.",
    })
    const { commands, problems } = await read(tree)
    expect(commands).toEqual([
      {
        ...{ name: "fix", source: tree.at("work/.opencode/command/fix.md"), isProject: true },
        ...{ description: "Fixes.", agent: "build", model: "a/b", subtask: true, variant: "high" },
        template: "Fix $1. !`git status` @README.md",
      },
      {
        ...{ name: "front/end", source: tree.at("home/.claude/commands/front/end.md"), isProject: false },
        template: "Look at $ARGUMENTS.",
      },
    ])
    expect(problems.map(({ message }) => message)).toEqual([
      expect.stringContaining('The key "colour" does nothing here.'),
    ])
  })

  it("may have no text: a plugin can make its prompt", async () => {
    await using tree = await fileTree({
      "work/app/.pawl/command/a.md": "---\ndescription: A.\n---\n \n",
      "work/app/.pawl/command/b.md": "",
    })
    const { commands, problems } = await read(tree)
    expect(commands).toMatchObject([
      { name: "a", description: "A.", template: "" },
      { name: "b", template: "" },
    ])
    expect(problems).toEqual([])
  })
})

describe("a skill", () => {
  it("comes from other programs' directories, the configuration's own and those it names", async () => {
    await using tree = await fileTree({
      "home/.claude/skills/a/SKILL.md": skill("a"),
      "home/.agents/skills/b/SKILL.md": skill("b"),
      "work/.agents/skills/c/SKILL.md": skill("c"),
      "work/app/.claude/skills/d/SKILL.md": skill("d"),
      "home/.config/pawl/skills/e/SKILL.md": skill("e"),
      "shared/f/SKILL.md": skill("f"),
      "shared/a/SKILL.md": skill("a"),
      "work/app/.agents/agents/no.md": "No.",
    })
    const skillDirectories = [
      { directory: tree.at("shared"), isProject: false },
      { directory: tree.at("missing"), isProject: false },
    ]
    const { agents, skills, problems } = await read(tree, { skillDirectories })
    expect(agents).toEqual([])
    expect(skills.map(({ name, isProject }) => `${name} ${isProject}`)).toEqual([
      ...["a false", "b false", "c true", "d true", "e false", "f false"],
    ])
    expect(skills[0]?.source).toBe(tree.at("shared/a/SKILL.md"))
    expect(problems.map(({ message }) => message)).toEqual([
      `${tree.at("missing")}: This does not exist, and is ignored.`,
      `${tree.at("shared/a/SKILL.md")}: The skill "a" takes the place of the one in ~/.claude/skills/a/SKILL.md.`,
    ])
  })

  it("needs a name, and a description to be offered", async () => {
    const files = {
      "a/SKILL.md": "---\ndescription: A.\n---\n",
      "b/SKILL.md": "---\nname: b\nallowed-tools: Read\n---\nB.",
      "c/SKILL.md": "No front matter.",
      "d/SKILL.md": "---\nname: D D\ndescription: D.\n---\n",
      "e/SKILL.md": "---\nname: e\ndescription: [E]\n---\n",
    }
    await using tree = await fileTree(
      Object.fromEntries(Object.entries(files).map(([file, written]) => [`work/app/.pawl/skills/${file}`, written])),
    )
    const { skills, problems } = await read(tree)
    expect(skills).toEqual([])
    expect(problems.map(({ severity, message }) => `${severity} ${message.replace(".pawl/skills/", "")}`)).toEqual([
      'error a/SKILL.md:2:1: The skill has no name. Add a line "name: …" to its front matter.',
      'warning b/SKILL.md:2:1: The skill says nothing of when to use it, and is not offered. Add a line "description: …".',
      'error c/SKILL.md: The skill has no name. Add a line "name: …" to its front matter.',
      expect.stringContaining('error d/SKILL.md:2:7: The name "D D" is not allowed.'),
      "error e/SKILL.md:3:14: description must be a text. Put it in quotes.",
    ])
  })
})

describe("what is written for other programs", () => {
  const files = {
    "home/.claude/agents/a.md": "A.",
    "home/.claude/commands/c.md": "C.",
    "home/.claude/skills/s/SKILL.md": skill("s"),
    "work/.agents/skills/t/SKILL.md": skill("t"),
    "work/.pawl/agent/own.md": "Own.",
  }
  it.each([
    [{ PAWL_DISABLE_CLAUDE_CODE: "1" }, ["own", "t"]],
    [{ OPENCODE_DISABLE_CLAUDE_CODE: "TRUE" }, ["own", "t"]],
    [{ PAWL_DISABLE_CLAUDE_CODE_SKILLS: "true" }, ["a", "own", "c", "t"]],
    [{ OPENCODE_DISABLE_EXTERNAL_SKILLS: "1" }, ["a", "own", "c"]],
    [{ PAWL_DISABLE_CLAUDE_CODE: "0", PAWL_DISABLE_EXTERNAL_SKILLS: "" }, ["a", "own", "c", "s", "t"]],
  ])("counts as far as the environment lets it: %o", async (env, names) => {
    await using tree = await fileTree(files)
    const { agents, commands, skills } = await read(tree, { env })
    expect([...agents, ...commands, ...skills].map(({ name }) => name)).toEqual(names)
  })
})

describe("a file that cannot be used", () => {
  it("is reported with its place, and the others are read", async () => {
    await using tree = await fileTree({
      "work/app/.pawl/agent/broken.md": "---\na: [1\nb: 2\n---\nX.",
      "work/app/.pawl/agent/binary.md": new Uint8Array([0xff, 0xfe, 0, 1]),
      "work/app/.pawl/agent/nul.md": "a\0b",
      "work/app/.pawl/agent/huge.md": "x".repeat(262_145),
      "work/app/.pawl/agent/largest.md": "x".repeat(262_144),
      "work/app/.pawl/agent/open.md": "---\nname: a\n",
      "work/app/.pawl/agent/Upper Case.md": "X.",
      "work/app/.pawl/agent/named.md": "---\nname: ../../etc/passwd\n---\n",
      "work/app/.pawl/agent/bom.md": "\uFEFF---\r\nsteps: 3\r\n---\r\nOne\r\nTwo",
      "work/app/.pawl/tool/a b.ts": "",
    })
    await mkdir(tree.at("work/app/.pawl/agent/directory.md"))
    await symlink(tree.at("nowhere"), tree.at("work/app/.pawl/agent/dangling.md"))
    await symlink("loop.md", tree.at("work/app/.pawl/agent/loop.md"))
    execFileSync("mkfifo", [tree.at("work/app/.pawl/agent/pipe.md")])

    const { agents, tools, problems } = await read(tree)
    expect(agents.map(({ name, config }) => [name, config.prompt?.length])).toEqual([
      ["bom", "One\nTwo".length],
      ["largest", 262_144],
    ])
    expect(tools).toEqual([])
    expect(problems.every(({ severity }) => severity === "error")).toBe(true)
    expect(problems.map(({ message }) => message.replace(".pawl/agent/", "").slice(0, 90))).toEqual([
      expect.stringMatching(/^Upper Case.md: The name "Upper Case" is not allowed. Names are made of lowercase/),
      "binary.md: The file is not UTF-8 text. Remove it or correct it.",
      expect.stringMatching(/^broken.md:\d:\d: The front matter is not valid YAML: /),
      "dangling.md: The file is a link to a file that does not exist. Remove it or correct it.",
      "huge.md: The file is larger than 256 KiB. Remove it or correct it.",
      "loop.md: The file cannot be read: ELOOP. Remove it or correct it.",
      expect.stringMatching(/^named.md:2:7: The name "..\/..\/etc\/passwd" is not allowed./),
      "nul.md: The file is not text. Remove it or correct it.",
      'open.md:1:1: The front matter is never closed. Put a line of "---" after it.',
      "pipe.md: The file is not a regular file. Remove it or correct it.",
      expect.stringMatching(/^.pawl\/tool\/a b.ts: The name "a b" is not allowed./),
    ])
  })

  it("cannot write to the terminal by its name or its keys", async () => {
    await using tree = await fileTree({
      "work/app/.pawl/agent/a\u001B[2J\n\u202Eb.md": "X.",
      "work/app/.pawl/agent/c.md": '---\n"\\e[2J\u202E": 1\n---\nC.',
    })
    const { problems } = await read(tree)
    expect(problems).toHaveLength(2)
    for (const { message } of problems) expect(message).not.toMatch(/[\p{Cc}\p{Cf}]/u)
    expect(problems[0]?.message).toContain(String.raw`.pawl/agent/a\u{1b}[2J\u{a}\u{202e}b.md: The name`)
  })

  it.skipIf(process.getuid?.() === 0)("is one that may not be read", async () => {
    await using tree = await fileTree({ "work/app/.pawl/agent/a.md": "A." })
    await chmod(tree.at("work/app/.pawl/agent/a.md"), 0)
    const { problems } = await read(tree)
    expect(problems.map(({ message }) => message)).toEqual([
      expect.stringContaining("cannot be read: permission denied"),
    ])
  })
})

describe("links", () => {
  it("are followed, each directory once", async () => {
    await using tree = await fileTree({ "work/docs/agents/a.md": "A.", "work/.pawl/agent/deep/b.md": "B." })
    await symlink(tree.at("work/docs/agents"), tree.at("work/.pawl/agent/linked"))
    await symlink("..", tree.at("work/.pawl/agent/deep/up"))
    await symlink(".", tree.at("work/.pawl/agent/self"))
    const { agents, problems } = await read(tree)
    expect(agents.map(({ name }) => name)).toEqual(["deep/b", "linked/a"])
    expect(problems).toEqual([])
  })

  it("make no second definition of one file", async () => {
    await using tree = await fileTree({
      "work/.agents/skills/a/SKILL.md": skill("a"),
      "work/.claude/agents/b.md": "B.",
    })
    await symlink("../.agents/skills", tree.at("work/.claude/skills"))
    await mkdir(tree.at("work/.pawl/agent"), { recursive: true })
    await symlink("../../.claude/agents/b.md", tree.at("work/.pawl/agent/b.md"))
    const { agents, skills, problems } = await read(tree)
    expect([...agents, ...skills].map(({ source }) => source)).toEqual([
      tree.at("work/.pawl/agent/b.md"),
      tree.at("work/.agents/skills/a/SKILL.md"),
    ])
    expect(problems).toEqual([])
  })

  it("of a project do not lead out of it; the user's own lead anywhere", async () => {
    await using tree = await fileTree({
      "secret/key.md": "Secret.",
      "home/.config/pawl/README": "",
      "work/.pawl/agent/fine.md": "Fine.",
      "work/.opencode/README": "",
      "work/app/.pawl/README": "",
    })
    await symlink(tree.at("secret/key.md"), tree.at("work/.pawl/agent/file.md"))
    await symlink(tree.at("secret"), tree.at("work/.pawl/agent/directory"))
    await symlink(tree.at("secret"), tree.at("work/.opencode/agent"))
    await symlink("/", tree.at("work/app/.pawl/skills"))
    await symlink(tree.at("secret/key.md"), tree.at("work/app/.pawl/tool.ts"))
    const before = await read(tree)
    expect(before.agents.map(({ name }) => name)).toEqual(["fine"])
    expect(before.problems.map(({ file, message }) => [file, message.replace(/^\S+ /, "")])).toEqual([
      [tree.at("work/.opencode/agent"), "This leads out of the project, and is ignored."],
      [tree.at("work/.pawl/agent/file.md"), "This leads out of the project, and is ignored."],
      [tree.at("work/.pawl/agent/directory"), "This leads out of the project, and is ignored."],
      [tree.at("work/app/.pawl/skills"), "This leads out of the project, and is ignored."],
    ])

    await symlink(tree.at("secret"), tree.at("home/.config/pawl/agent"))
    expect((await read(tree)).agents.map(({ name, isProject }) => [name, isProject])).toEqual([
      ["fine", true],
      ["key", false],
    ])
  })
})

it("looks at no more than a limited number of entries and levels", async () => {
  const deep = Array.from({ length: 12 }, (_, level) => `d${level}`).join("/")
  await using tree = await fileTree({ [`work/.pawl/agent/${deep}/a.md`]: "A.", "work/.opencode/command/a.md": "A." })
  const many = tree.at("work/.opencode/command")
  execFileSync("sh", ["-c", 'cd "$1" && seq -f f%05g.txt 1100 | xargs touch', "sh", many])
  const { agents, commands, problems } = await read(tree)
  expect(agents).toEqual([])
  expect(commands.map(({ name }) => name)).toEqual(["a"])
  expect(problems.map(({ message }) => message.replace(/^\S+ /, ""))).toEqual([
    "This holds more than the 1000 entries that are looked at, and is ignored.",
    "This has directories deeper than the 8 levels that are looked at, and is ignored.",
  ])
})
