import { mkdir, rm, symlink, truncate, utimes, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { testContext, testPlace } from "../../test/context.ts"
import { testDirectory } from "../../test/directory.ts"
import { testTools } from "../../test/tools.ts"

const project = {
  ".gitignore": "*.log\nnode_modules/\n",
  ".git/hooks/pre-commit.ts": "needle",
  ".env": "needle in hidden\n",
  "debug.log": "needle\n",
  "node_modules/x/index.ts": "needle\n",
  "src/a.ts": "first\nneedle one\nneedle two\n",
  "src/deep/b.ts": "needle three\n",
  "readme.md": "needle\n",
}

const secretRules = [
  { permission: "read", pattern: "secrets/**", action: "deny" },
  { permission: "read", pattern: "drafts/**", action: "ask" },
] as const

it.each([
  ["glob", { pattern: "*" }, "D/drafts/c.md\nD/a.txt\n\n"],
  ["list", {}, "D/\n  a.txt\n  drafts/\n    c.md\n\n"],
])("%s names no file that may not be read, and says how many there are", async (tool, input, expected) => {
  const directory = await testDirectory({ "a.txt": "", "drafts/c.md": "", "secrets/a.key": "", "secrets/b.key": "" })
  await utimes(join(directory, "drafts/c.md"), 4e9, 4e9)
  const { output, metadata } = await testTools(directory).run(
    tool,
    input,
    testContext(directory, { rules: secretRules }),
  )
  const note = "(2 files were left out, which may not be read: a rule denies it.)"
  expect(output).toBe(expected.replaceAll("D/", `${directory}/`) + note)
  expect(metadata).toMatchObject({ count: 2 })
})

describe("glob", () => {
  it("returns absolute paths, the newest first, without what is ignored", async () => {
    const directory = await testDirectory(project)
    await utimes(join(directory, "src/a.ts"), 1000, 1000)
    await utimes(join(directory, "src/deep/b.ts"), 2000, 2000)
    expect(await testTools(directory).run("glob", { pattern: "*.ts" })).toEqual({
      title: ".",
      output: `${directory}/src/deep/b.ts\n${directory}/src/a.ts`,
      metadata: { count: 2, truncated: false },
    })
  })

  it("does not let a pattern win over .gitignore", async () => {
    const directory = await testDirectory(project)
    const tools = testTools(directory)
    expect((await tools.run("glob", { pattern: "*.log" })).output).toBe("No files found")
    expect((await tools.run("glob", { pattern: "node_modules/**" })).output).toBe("No files found")
    expect((await tools.run("glob", { pattern: ".git/**" })).output).toBe("No files found")
    expect((await tools.run("glob", { pattern: ".env" })).output).toBe(`${directory}/.env`)
  })

  it("searches below a path", async () => {
    const directory = await testDirectory(project)
    const tools = testTools(directory)
    expect((await tools.run("glob", { pattern: "*.ts", path: "src/deep" })).output).toBe(`${directory}/src/deep/b.ts`)
    await expect(tools.run("glob", { pattern: "*", path: "src/a.ts" })).rejects.toThrow("is a file")
    await expect(tools.run("glob", { pattern: "*", path: "lib" })).rejects.toThrow(`Path not found: ${directory}/lib`)
  })

  it("shows the hundred newest", async () => {
    const directory = await testDirectory(
      Object.fromEntries(Array.from({ length: 120 }, (_, index) => [`${index}.txt`, ""])),
    )
    await utimes(join(directory, "7.txt"), 4e9, 4e9)
    const { output, metadata } = await testTools(directory).run("glob", { pattern: "*.txt" })
    expect(output.split("\n")[0]).toBe(`${directory}/7.txt`)
    expect(output).toMatch(/\n\n\(Only the 100 newest files are shown\. [^\n]*\)$/)
    expect(metadata).toEqual({ count: 100, truncated: true })
  })
})

describe("grep", () => {
  it("shows matching lines grouped by file, without what is ignored", async () => {
    const directory = await testDirectory(project)
    expect(await testTools(directory).run("grep", { pattern: "needle \\w+" })).toEqual({
      title: "needle \\w+",
      output:
        `Found 3 matches\n${directory}/src/a.ts:\n  Line 2: needle one\n  Line 3: needle two\n\n${directory}/src/deep/b.ts:\n  Line 1: needle three\n\n` +
        "(1 file was left out, which may be read only after a question: .env. Give one as path.)",
      metadata: { matches: 3, truncated: false },
    })
  })

  it("shows no line of a file that a read would be refused or asked for, and says how many there are", async () => {
    const directory = await testDirectory({
      ...{ "a.txt": "needle\n", "app/.ENV": "needle\n", ".env.example": "needle\n" },
      ...{ "secrets/a.key": "needle\n".repeat(200), "secrets/b.key": "needle\n", "drafts/c.md": "needle\n" },
    })
    const context = testContext(directory, { rules: secretRules })
    const grep = (input: object) => testTools(directory).run("grep", { pattern: "needle", ...input }, context)
    expect(await grep({})).toMatchObject({
      output:
        `Found 2 matches\n${directory}/.env.example:\n  Line 1: needle\n\n${directory}/a.txt:\n  Line 1: needle\n\n` +
        "(2 files were left out, which may be read only after a question: app/.ENV, drafts/c.md. Give one as path.)\n\n" +
        "(2 files were left out, which may not be read: a rule denies it.)",
      metadata: { matches: 2, truncated: false },
    })
    expect((await grep({ path: "secrets" })).output).toBe(
      "No files found\n\n(2 files were left out, which may not be read: a rule denies it.)",
    )
  })

  it("shows no line of a file in which a program keeps tokens", async () => {
    const directory = await testDirectory({
      ...{ ".npmrc": "needle\n", "web/.NPMRC": "needle\n", "a.txt": "needle\n", ".aws/credentials": "needle\n" },
    })
    const { output } = await testTools(directory).run("grep", { pattern: "needle" })
    expect(output).toBe(
      `Found 1 match\n${directory}/a.txt:\n  Line 1: needle\n\n` +
        "(3 files were left out, which may be read only after a question: .aws/credentials, .npmrc, web/.NPMRC. Give one as path.)",
    )
  })

  it("goes by both names of a file below a link", async () => {
    const directory = await testDirectory({ "secrets/a.key": "needle\n" })
    await symlink("secrets", join(directory, "link"))
    const context = testContext(directory, { rules: secretRules })
    const { output } = await testTools(directory).run("grep", { pattern: "needle", path: "link" }, context)
    expect(output).toBe("No files found\n\n(1 file was left out, which may not be read: a rule denies it.)")
  })

  it("judges a file once, however many of its lines match", async () => {
    const directory = await testDirectory({ "a.txt": "needle\n".repeat(50), "b.txt": "needle\n".repeat(40) })
    const judged: string[] = []
    const judgeReads = async () => (names: readonly string[]) => (judged.push(...names), "allow" as const)
    const context = testContext(directory, { judgeReads })
    await testTools(directory).run("grep", { pattern: "needle" }, context)
    expect(judged).toEqual(["a.txt", "b.txt"])
  })

  it("needs leave to read a file that it is pointed at, as read does", async () => {
    const directory = await testDirectory({ ...project, "link.txt": "" })
    await rm(join(directory, "link.txt"))
    await symlink(".env", join(directory, "link.txt"))
    const tools = testTools(directory)
    const grep = tools.tool("grep")
    const needs = async (path: string) => {
      const found = await grep.permissions?.(grep.parse({ pattern: "x", path }), testPlace(directory))
      return found?.map(({ permission, patterns }) => [permission, ...patterns])
    }
    expect(await needs(".env")).toEqual([
      ["grep", "x"],
      ["read", ".env"],
    ])
    expect(await needs("link.txt")).toEqual([
      ["grep", "x"],
      ["read", "link.txt", ".env"],
    ])
    expect(await needs("src")).toEqual([["grep", "x"]])
    expect((await tools.run("grep", { pattern: "needle", path: ".env" })).output).toContain("needle in hidden")
  })

  it("searches only files that fit the include pattern, and ignored ones not even then", async () => {
    const directory = await testDirectory(project)
    const tools = testTools(directory)
    const search = async (include: string) =>
      (await tools.run("grep", { pattern: "needle", include })).metadata?.["matches"]
    expect(await search("*.md")).toBe(1)
    expect(await search("*.{md,ts}")).toBe(4)
    expect(await search("src/*.ts")).toBe(2)
    expect(await search("src/**/*.ts")).toBe(3)
    expect(await search("*.log")).toBe(0)
  })

  it("searches one file, also one that is ignored", async () => {
    const directory = await testDirectory(project)
    const { output } = await testTools(directory).run("grep", { pattern: "needle", path: "debug.log" })
    expect(output).toBe(`Found 1 match\n${directory}/debug.log:\n  Line 1: needle`)
  })

  it("says when nothing is found, where the path is wrong and what is wrong with a pattern", async () => {
    const directory = await testDirectory(project)
    const tools = testTools(directory)
    const none = await tools.run("grep", { pattern: "haystack" })
    expect(none).toMatchObject({ output: "No files found", metadata: { matches: 0, truncated: false } })
    await expect(tools.run("grep", { pattern: "x", path: "lib" })).rejects.toThrow(`Path not found: ${directory}/lib`)
    await expect(tools.run("grep", { pattern: "f(" })).rejects.toThrow("unclosed group")
  })

  it("shows a hundred matches at most", async () => {
    const directory = await testDirectory({ "a.txt": "needle\n".repeat(1000) })
    const { output, metadata } = await testTools(directory).run("grep", { pattern: "needle" })
    expect(output).toMatch(/^Found 100 matches\n/)
    expect(output).toContain("Line 100: needle\n\n(Only the first 100 matches are shown.")
    expect(metadata).toEqual({ matches: 100, truncated: true })
  })

  it("skips binary and huge files", async () => {
    const directory = await testDirectory({ "a.bin": "\0\0needle\n", "huge.txt": "needle\n", "b.txt": "needle\n" })
    await truncate(join(directory, "huge.txt"), 11 * 2 ** 20)
    const { output } = await testTools(directory).run("grep", { pattern: "needle" })
    expect(output).toBe(`Found 1 match\n${directory}/b.txt:\n  Line 1: needle`)
  })

  it("shows a line around its match, also a long one", async () => {
    const line = `${"<".repeat(10_000)}HIT${">".repeat(100_000)}HIT`
    const directory = await testDirectory({ "a.js": `${line}\nHIT\n` })
    const { output } = await testTools(directory).run("grep", { pattern: "HIT" })
    expect(output).toContain(`Line 1: ...${"<".repeat(500)}HIT>`)
    expect(output).toContain(">...\n  Line 2: HIT")
    const far = await testTools(directory).run("grep", { pattern: "HIT$", path: "a.js" })
    expect(far.output).toMatch(/Line 1: <{2000}\.\.\. \(the start of a long line; the match may be further on\)\n/)
  })

  it("takes no more of a line than it shows, however long it is and however many matches are in it", async () => {
    const directory = await testDirectory({ "one.txt": "x".repeat(11_000_000) })
    const { output, metadata } = await testTools(directory).run("grep", { pattern: ".", path: "one.txt" })
    expect(metadata).toEqual({ matches: 1, truncated: false })
    expect(output.length).toBeLessThan(3000)
    expect(output).toContain("(the start of a long line; the match may be further on)")
  })

  it("searches a file that is named, also behind binary bytes", async () => {
    const directory = await testDirectory({ "a.log": "first\0\nneedle\n" })
    const { output } = await testTools(directory).run("grep", { pattern: "needle", path: "a.log" })
    expect(output).toBe(`Found 1 match\n${directory}/a.log:\n  Line 2: needle`)
  })

  it("finds what stands in front of binary bytes, and takes no note on them for a match", async () => {
    const directory = await testDirectory({ "a.txt": `needle\n${"x\n".repeat(100_000)}\0`, "b.txt": "needle\n" })
    const { output } = await testTools(directory).run("grep", { pattern: "needle" })
    expect(output).toBe(
      `Found 2 matches\n${directory}/a.txt:\n  Line 1: needle\n\n${directory}/b.txt:\n  Line 1: needle`,
    )
  })

  it("takes the pattern for a pattern whatever it begins with", async () => {
    const directory = await testDirectory({ "a.txt": "--files\n-e\n" })
    const { output } = await testTools(directory).run("grep", { pattern: "--files" })
    expect(output).toContain("Line 1: --files")
  })

  it("is not moved by the user's configuration of ripgrep", async () => {
    const directory = await testDirectory({ "a.txt": "NEEDLE\n", rc: "--ignore-case\n" })
    const env = async () => ({ RIPGREP_CONFIG_PATH: join(directory, "rc") })
    const result = await testTools(directory).run("grep", { pattern: "needle" }, testContext(directory, { env }))
    expect(result.output).toBe("No files found")
  })
})

describe("list", () => {
  it("shows the files below a directory as a tree", async () => {
    const directory = await testDirectory(project)
    expect(await testTools(directory).run("list", {})).toEqual({
      title: ".",
      output: `${directory}/\n  .env\n  .gitignore\n  readme.md\n  src/\n    a.ts\n    deep/\n      b.ts`,
      metadata: { count: 5, truncated: false },
    })
  })

  it("leaves out what it is told to", async () => {
    const directory = await testDirectory(project)
    const { output } = await testTools(directory).run("list", { ignore: ["*.md", "!src/deep", ".*"] })
    expect(output).toBe(`${directory}/\n  src/\n    a.ts`)
  })

  it("shows another directory, also an empty one", async () => {
    const directory = await testDirectory(project)
    await mkdir(join(directory, "empty"))
    const tools = testTools(directory)
    expect((await tools.run("list", { path: "src/deep" })).output).toBe(`${directory}/src/deep/\n  b.ts`)
    expect((await tools.run("list", { path: "empty" })).output).toBe(`${directory}/empty/\n  (no files)`)
    await expect(tools.run("list", { path: "readme.md" })).rejects.toThrow("is a file")
  })

  it("shows a hundred files at most", async () => {
    const directory = await testDirectory()
    await Promise.all(Array.from({ length: 101 }, (_, index) => writeFile(join(directory, `${1000 + index}.txt`), "")))
    const { output, metadata } = await testTools(directory).run("list", {})
    expect(output).toContain("1099.txt\n\n(Only the first 100 files are shown.")
    expect(metadata).toEqual({ count: 100, truncated: true })
  })
})

it("asks for the pattern, and first for a directory outside", async () => {
  const directory = await testDirectory(project)
  const outside = await testDirectory()
  const needs = (name: string, input: object) => {
    const tool = testTools(directory).tool(name)
    return tool.permissions?.(tool.parse(input), testPlace(directory))
  }
  expect(await needs("glob", { pattern: "*.ts" })).toEqual([{ permission: "glob", patterns: ["*.ts"] }])
  expect(await needs("list", { path: "src" })).toEqual([{ permission: "list", patterns: ["src"] }])
  expect(await needs("list", {})).toMatchObject([{ permission: "list", patterns: ["."] }])
  expect(await needs("grep", { pattern: "x", path: outside })).toMatchObject([
    { permission: "external_directory", patterns: [`${outside}/*`] },
    { permission: "grep", patterns: ["x"] },
  ])
})
