import { chmod, mkdir, rename, symlink, writeFile } from "node:fs/promises"
import { spawnSync } from "node:child_process"
import { dirname, join } from "node:path"
import { describe, expect, it } from "vitest"
import { temporaryDirectory } from "../test/temporary-directory.ts"
import { projectContent } from "./project-content.ts"

async function project(files: Readonly<Record<string, string>> = {}) {
  const root = await temporaryDirectory()
  const worktree = join(root, "project")
  await mkdir(worktree)
  const write = async (path: string, text: string) => {
    await mkdir(dirname(join(worktree, path)), { recursive: true })
    await writeFile(join(worktree, path), text)
  }
  for (const [path, text] of Object.entries(files)) await write(path, text)
  const read = (directory = ".") => projectContent({ worktree, directory: join(worktree, directory) })
  const paths = async (directory?: string) => (await read(directory)).files.map(({ path }) => path)
  return { root, worktree, write, read, paths }
}

it("ends where links lead from directory to directory, many ways to each", async () => {
  const { worktree, read } = await project()
  const last = 20
  for (let level = 0; level < last; level++) {
    await mkdir(join(worktree, `.pawl/${level}`), { recursive: true })
    for (const name of ["a", "b", "c"]) await symlink(`../${level + 1}`, join(worktree, `.pawl/${level}/${name}`))
  }
  await mkdir(join(worktree, `.pawl/${last}`))

  expect((await read()).problem).toContain("directories")
})

describe("what a project supplies", () => {
  it("is nothing where there are only its own files", async () => {
    const { read, write } = await project({ "src/a.ts": "", "AGENTS.md": "", ".gitignore": "", ".claude/notes.md": "" })
    const before = await read()
    await write("src/a.ts", "changed")

    expect(before.files).toEqual([])
    expect((await read()).hash).toBe(before.hash)
  })

  it("is what is read by its name, each with its kind", async () => {
    const { read } = await project({
      "pawl.jsonc": "{}",
      "opencode.json": "{}",
      ".mcp.json": "{}",
      ".pawl/pawl.json": "{}",
      ".pawl/tool/deploy.ts": "",
      ".pawl/tool/README.md": "",
      ".opencode/plugins/a.js": "",
      ".opencode/package.json": "{}",
      ".opencode/node_modules/a/index.js": "",
      ".opencode/command/deep/x.md": "",
      ".claude/skills/s/SKILL.md": "",
      ".claude/skills/s/run.py": "",
      ".claude/agents/b.md": "",
      ".agents/skills/t/SKILL.md": "",
    })

    expect((await read()).files.map(({ path, kind }) => `${kind} ${path}`)).toEqual([
      "skill .agents/skills/t/SKILL.md",
      "agent .claude/agents/b.md",
      "skill .claude/skills/s/SKILL.md",
      "skill .claude/skills/s/run.py",
      "mcp .mcp.json",
      "command .opencode/command/deep/x.md",
      "package .opencode/package.json",
      "plugin .opencode/plugins/a.js",
      "config .pawl/pawl.json",
      "tool .pawl/tool/deploy.ts",
      "config opencode.json",
      "config pawl.jsonc",
    ])
  })

  it.each([
    ["in folders of its own", ".opencode/dcp/ses_1.json", ".opencode/memory/notes.md", ".opencode/index/vectors.db"],
    ["beside the configuration", ".opencode/state.json", ".pawl/log.txt", ".opencode/lock", ".pawl/.env"],
    ["beside itself", ".opencode/plugin/seen.json", ".pawl/plugins/cache/answers.jsonl", ".opencode/tool/usage.csv"],
    ["beside agents and commands", ".opencode/agent/last.json", ".pawl/command/history"],
    ["of packages", ".opencode/cache/package.json", ".opencode/cache/package-lock.json"],
    ["that looks like a configuration", ".opencode/backup/opencode.json", ".pawl/agent/pawl.jsonc"],
  ])("is none of what a plugin keeps %s", async (_, ...state) => {
    const { write, read } = await project({ ".opencode/plugin/a.ts": 'import "./b.json"', "pawl.json": "{}" })
    const before = await read()
    for (const path of state) await write(path, "one")
    const kept = await read()
    for (const path of state) await write(path, "two")

    expect(kept.hash).toBe(before.hash)
    expect((await read()).hash).toBe(before.hash)
  })

  it("is all below its folders that may be run: code and scripts by their endings, and what is executable", async () => {
    const files = [
      ...[".opencode/lib/a.js", ".opencode/lib/deep/b.mts", ".pawl/bin/c.sh", ".pawl/d.py", ".pawl/e.WASM"],
      ...[".opencode/plugin/parts/f.cjs", ".opencode/g.ps1", ".opencode/native/h.node"],
    ]
    const texts = Object.fromEntries(files.map((path) => [path, ""]))
    const { worktree, paths } = await project({ ...texts, ".pawl/run": "#!/bin/sh", ".pawl/data": "", "x.sh": "" })
    await chmod(join(worktree, ".pawl/run"), 0o755)

    expect(await paths()).toEqual([...files, ".pawl/run"].toSorted())
  })

  it("is what code imports, whatever it is and wherever it lies", async () => {
    const { paths } = await project({
      ".opencode/plugin/a.ts": 'import "../lib/inner"\nimport words from "./words.txt"',
      ".opencode/plugin/words.txt": "",
      ".opencode/plugin/other.txt": "",
      ".opencode/lib/inner.ts": 'export { default } from "../../shared/table.json"',
      "shared/table.json": "",
    })

    expect(await paths()).toEqual([
      ...[".opencode/lib/inner.ts", ".opencode/plugin/a.ts", ".opencode/plugin/words.txt", "shared/table.json"],
    ])
  })

  it("is judged beside thousands of files that a plugin keeps", async () => {
    const { worktree, read } = await project({ ".opencode/plugin/a.ts": "" })
    await mkdir(join(worktree, ".opencode/state"))
    const many = Array.from({ length: 300 }, (_, at) => join(worktree, `.opencode/state/${at}.json`))
    await Promise.all(many.map((path) => writeFile(path, "x".repeat(1000))))
    const limits = { files: 5, entries: 400, directories: 10, bytes: 100 }
    const within = (entries: number) => projectContent({ worktree, directory: worktree }, { ...limits, entries })

    expect(await read()).not.toHaveProperty("problem")
    expect(await within(400)).not.toHaveProperty("problem")
    expect((await within(200)).problem).toBe(
      ".opencode/state: there are more than 200 files and directories to look at.",
    )
  })

  it("is looked for from the work tree's root down to the directory, and no further", async () => {
    const { paths } = await project({
      "pawl.json": "{}",
      "a/pawl.json": "{}",
      "a/b/.pawl/tool/x.ts": "",
      "a/b/c/pawl.json": "{}",
      "other/pawl.json": "{}",
    })

    expect(await paths("a/b")).toEqual(["a/b/.pawl/tool/x.ts", "a/pawl.json", "pawl.json"])
    expect(await paths()).toEqual(["pawl.json"])
  })

  it("is also what the configuration names and code imports", async () => {
    const { paths } = await project({
      "pawl.jsonc": `{
        // "./scripts/not-there.sh"
        "plugin": ["./src/plugin", "file://./src/url.mjs"],
        "formatter": { "mine": { "command": ["sh", "scripts/format.sh", "$FILE"] } },
        "check": "node tools/check.js --all",
        "provider": { "p": { "options": { "baseURL": "{file:etc/address}" } } },
        "instructions": ["docs/rules.md"]
      }`,
      "src/plugin.ts": 'import "./inner.js"\nexport { x } from "../lib"\nconst y = require("./data.json")',
      "src/inner.js": "await import('./late.mjs')",
      "src/late.mjs": "",
      "src/data.json": "",
      "src/url.mjs": "",
      "src/unused.ts": "",
      "lib/index.ts": 'import "outside"\nimport "../../beyond.js"',
      "scripts/format.sh": "",
      "tools/check.js": "",
      "etc/address": "",
      "docs/rules.md": "",
    })

    expect(await paths()).toEqual(
      "etc/address lib/index.ts pawl.jsonc scripts/format.sh src/data.json src/inner.js src/late.mjs src/plugin.ts src/url.mjs tools/check.js".split(
        " ",
      ),
    )
  })
})

it("follows a name however long it is written", async () => {
  const long = "./".repeat(800)
  const { paths } = await project({
    "pawl.jsonc": JSON.stringify({ plugin: [`${long}a.ts`], agent: { b: { prompt: `{file:${long}b}` } } }),
    "a.ts": `import${" ".repeat(20)}"${long}c.ts"`,
    ...{ b: "", "c.ts": "" },
  })

  expect(await paths()).toEqual(["a.ts", "b", "c.ts", "pawl.jsonc"])
})

it("follows what code names by its own package, and through comments", async () => {
  const { paths } = await project({
    "package.json": '{ "name": "me", "imports": { "#u": "./lib/u.ts" }, "exports": { "./v": "./lib/v.ts" } }',
    ".pawl/plugin/a.ts":
      'import { h } from "#u"\nimport "other"\nimport x from /* y */ // z\n"../../lib/w.ts"\nimport "./deep/d.ts"',
    ".pawl/plugin/deep/d.ts": 'import "me/v"',
    ...{ "lib/u.ts": "", "lib/v.ts": "", "lib/w.ts": "", "lib/other.ts": "" },
  })

  expect(await paths()).toEqual(
    ".pawl/plugin/a.ts .pawl/plugin/deep/d.ts lib/u.ts lib/v.ts lib/w.ts package.json".split(" "),
  )
})

describe("the hash", () => {
  const files = { "pawl.json": "{}", ".pawl/tool/a.ts": "a", ".pawl/tool/b.ts": "b" }

  it("is the same for the same content, from a directory below too", async () => {
    const [one, other] = [await project({ ...files, "sub/x": "" }), await project(files)]
    const hashes = [await one.read(), await one.read("sub"), await other.read()].map(({ hash }) => hash)

    expect(new Set(hashes).size).toBe(1)
  })

  it.each<[string, (worktree: string) => Promise<unknown>]>([
    ["a byte", (worktree) => writeFile(join(worktree, ".pawl/tool/a.ts"), "A")],
    ["a name", (worktree) => rename(join(worktree, ".pawl/tool/a.ts"), join(worktree, ".pawl/tool/c.ts"))],
    ["a new file", (worktree) => writeFile(join(worktree, ".pawl/tool/empty.ts"), "")],
    [
      "text that moved to another file",
      async (worktree) => {
        await writeFile(join(worktree, ".pawl/tool/a.ts"), "")
        await writeFile(join(worktree, ".pawl/tool/b.ts"), "ab")
      },
    ],
  ])("changes with %s", async (_, change) => {
    const { worktree, read } = await project(files)
    const before = await read()
    await change(worktree)

    expect((await read()).hash).not.toBe(before.hash)
  })
})

describe("a link", () => {
  it("that leads out is read, and known by where it leads", async () => {
    const { root, worktree, read } = await project({ ".pawl/x.ts": "" })
    await mkdir(join(root, "elsewhere/tool"), { recursive: true })
    await writeFile(join(root, "elsewhere/tool/a.ts"), "one")
    await symlink(join(root, "elsewhere/tool"), join(worktree, ".pawl/tool"))
    const before = await read()
    await writeFile(join(root, "elsewhere/tool/a.ts"), "two")
    const after = await read()

    expect(before.files[0]).toMatchObject({
      ...{ path: ".pawl/tool/a.ts", kind: "tool", text: "one" },
      link: join(root, "elsewhere/tool/a.ts"),
    })
    expect(after.hash).not.toBe(before.hash)
  })

  it("is followed to what the code behind it imports, from where that lies", async () => {
    const { worktree, paths } = await project({
      "src/plugin/a.ts": 'import "../inner.ts"',
      "src/inner.ts": "",
      "lib/b.ts": 'import "./beside.ts"',
      "lib/beside.ts": "",
      ".pawl/x.ts": "",
    })
    await symlink("../src/plugin", join(worktree, ".pawl/plugin"))
    await mkdir(join(worktree, ".pawl/tool"))
    await symlink("../../lib/b.ts", join(worktree, ".pawl/tool/b.ts"))

    expect(await paths()).toEqual([
      ".pawl/plugin/a.ts",
      ".pawl/tool/b.ts",
      ".pawl/x.ts",
      "lib/beside.ts",
      "src/inner.ts",
    ])
  })

  it("to another file of the same content is another content", async () => {
    const { worktree, read } = await project({ one: "x", two: "x", ".pawl/a.ts": "" })
    await symlink("../one", join(worktree, ".pawl/link.js"))
    const before = await read()
    await rename(join(worktree, ".pawl/link.js"), join(worktree, "gone"))
    await symlink("../two", join(worktree, ".pawl/link.js"))

    expect(before.files.at(-1)).toMatchObject({ path: ".pawl/link.js", link: "one" })
    expect((await read()).hash).not.toBe(before.hash)
  })

  it("that leads nowhere, or in a circle, is content too", async () => {
    const { worktree, read } = await project({ ".pawl/a.ts": "" })
    await symlink("nowhere", join(worktree, ".pawl/dangling.ts"))
    await symlink("..", join(worktree, ".pawl/up"))
    await symlink("circle.ts", join(worktree, ".pawl/circle.ts"))

    const { files, problem } = await read()

    expect(problem).toBeUndefined()
    expect(files.filter(({ link }) => link === "nothing").map(({ path }) => path)).toEqual([
      ".pawl/circle.ts",
      ".pawl/dangling.ts",
    ])
  })
})

describe("cannot be judged", () => {
  it("what are too many files", async () => {
    const { worktree } = await project({ ".pawl/a.ts": "", ".pawl/b.ts": "", ".pawl/c.ts": "" })

    const { problem } = await projectContent(
      { worktree, directory: worktree },
      { files: 2, entries: 100, directories: 100, bytes: 100 },
    )

    expect(problem).toBe("There are more than 2 files to judge.")
  })

  it("what is too large", async () => {
    const { worktree } = await project({ ".pawl/a.ts": "12345", ".pawl/b.ts": "123456" })

    const { problem } = await projectContent(
      { worktree, directory: worktree },
      { files: 10, entries: 100, directories: 100, bytes: 10 },
    )

    expect(problem).toBe("With .pawl/b.ts there is too much to judge.")
  })

  it("what is no regular file, and nobody waits for it", async () => {
    const { worktree, read } = await project({ ".pawl/a.ts": "" })
    spawnSync("mkfifo", [join(worktree, ".pawl/pipe.ts")])

    expect((await read()).problem).toBe(".pawl/pipe.ts is not a regular file.")
  })
})

it("does not follow names without end", async () => {
  const names = Array.from({ length: 6000 }, (_, at) => `import "./${at}"`)
  const { read } = await project({ ".pawl/tool/a.ts": names.join("\n"), ".pawl/tool/b.json": '"\\"'.repeat(100_000) })

  expect((await read()).problem).toContain("Too many names")
})

it("knows a place that is reached through a link by its own name", async () => {
  const { root, worktree } = await project({ "pawl.json": "{}" })
  await symlink(worktree, join(root, "link"))
  const [own, linked] = await Promise.all(
    [worktree, join(root, "link")].map((directory) => projectContent({ worktree: directory, directory })),
  )

  expect(linked).toEqual({ ...own, root: join(root, "link") })
})

it("takes file names as they are", async () => {
  const names = ["$(touch HIT).ts", "; touch HIT.ts", "-rf.ts", "two\nlines.ts", "../x".replaceAll("/", "\\") + ".ts"]
  const { read } = await project(Object.fromEntries(names.map((name) => [`.pawl/tool/${name}`, ""])))

  const { files } = await read()

  expect(files.map(({ path }) => path.slice(".pawl/tool/".length)).toSorted()).toEqual(names.toSorted())
})
