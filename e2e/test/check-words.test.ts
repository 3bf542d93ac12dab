import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { expect, it, onTestFinished } from "vitest"

const program = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "scripts", "check-words.mjs")

/** A workspace with these files by path, and these numbers of allowed findings. */
function workspace(files: Readonly<Record<string, string>>, allowed: Readonly<Record<string, number>> = {}) {
  const directory = mkdtempSync(join(tmpdir(), "check-words-"))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  const all = { ...files, "scripts/words-allowed.json": JSON.stringify(allowed) }
  for (const [path, text] of Object.entries(all)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true })
    writeFileSync(join(directory, path), text)
  }
  return directory
}

function check(directory: string, ...options: readonly string[]): { code: number | null; lines: readonly string[] } {
  const { status, stderr } = spawnSync(process.execPath, [program, directory, ...options], { encoding: "utf8" })
  return { code: status, lines: stderr.split("\n").filter((line) => line !== "") }
}

const source = (text: string) => ({ "packages/one/src/sample.ts": text })

it.each([
  ...["nobody reads it", "somebody reads it", "whoever reads it", "the title, whomever it is for", "heed the limit"],
  ...["it is heeded", "read anew", "called upon", "that is no session", "the value is none", "there are none"],
  ...[
    "ten unless told otherwise",
    "in its absence",
    "absent: ten",
    "Absent: ten",
    "what comes of it",
    "it came of that",
  ],
  ...["what becomes of it", "it goes on with the next", "gone on with", "the caller sees to it", "it is seen to"],
  ...["it is told of", "it tells of a failure", "it is passed over", "it passes over the rest"],
])("rejects %j in comments, strings, templates and Markdown", (words) => {
  const files = {
    "packages/one/src/comment.ts": `const a = 1\n// ${words}\n`,
    "packages/one/src/string.ts": `const a = 1\nconst b = "${words}"\n`,
    "packages/one/src/template.ts": `const a = 1\nconst b = \`\${a}: ${words}\`\n`,
    "packages/one/README.md": `# one\n${words}\n`,
  }
  const { code, lines } = check(workspace(files))
  expect(code).toBe(1)
  const places = Object.keys(files).map((path) => expect.stringMatching(`^${path}:2: "`) as string)
  expect(lines).toEqual(expect.arrayContaining(places))
  expect(lines.at(-1)).toBe("packages/one: 4 findings, 0 allowed. Reword what you added.")
})

it.each(["What", "Whether", "Who", "Of", "Those", "One", "Where"])(
  "rejects a doc comment that begins with %s",
  (word) => {
    const { code, lines } = check(workspace(source(`\n/**\n * ${word} it is. */\nconst a = 1\n`)))
    expect(code).toBe(1)
    expect(lines[0]).toBe(
      `packages/one/src/sample.ts:3: "${word}": begin the doc comment with a verb or with the thing`,
    )
  },
)

it("finds words on two lines, in comments and in help texts", () => {
  const help = check(workspace({ "apps/cli/test/golden/help-40.txt": "list ten, unless\n   told otherwise\n" }))
  expect(help.lines[0]).toContain('apps/cli/test/golden/help-40.txt:1: "unless told"')
  const block = check(workspace(source("/* ten, unless\n * told otherwise */\n")))
  expect(block.lines[0]).toContain('sample.ts:1: "unless told"')
  const lines = check(workspace(source("// ten, unless\n  // told otherwise\n")))
  expect(lines.lines[0]).toContain('sample.ts:1: "unless told"')
})

it("reads on correctly after divisions, regular expressions and nested templates", () => {
  const code = 'const a = b / c; const d = /"[/"`]/g; const e = `x${`y${{}}` + "z"}`; f(/`/)\n// nobody\n'
  expect(check(workspace(source(code))).lines[0]).toContain('sample.ts:2: "nobody"')
})

it("accepts plain text, identifiers, tests and demo projects", () => {
  const files = {
    ...source(
      '/** Returns one of the sessions. There is no limit, and it is no longer open. */\nconst nobody = "over-the-air"\n' +
        "// What the provider sends.\nconst ofOne = { absent: 1, upon: /anew/ }\n",
    ),
    "packages/one/src/sample.test.ts": "// nobody",
    "packages/one/test/sample.ts": "// nobody",
    "apps/cli/demo/project/README.md": "nobody",
  }
  expect(check(workspace(files))).toEqual({ code: 0, lines: [] })
})

it("allows as many findings as the list says for their package, and no more", () => {
  const files = { ...source("// nobody\n// anew\n"), "docs/a.md": "anew", "README.md": "anew" }
  expect(check(workspace(files, { "packages/one": 2, docs: 1, ".": 1 }))).toEqual({ code: 0, lines: [] })
  const { code, lines } = check(workspace(files, { "packages/one": 1, docs: 1, ".": 1 }))
  expect(code).toBe(1)
  expect(lines).toEqual([
    expect.stringContaining("packages/one/src/sample.ts:1"),
    expect.stringContaining("packages/one/src/sample.ts:2"),
    "packages/one: 2 findings, 1 allowed. Reword what you added.",
  ])
})

it("fails if the list allows more than there is, until --lower has lowered it", () => {
  const directory = workspace(
    { ...source("// nobody\n"), "docs/a.md": "anew anew" },
    { "packages/one": 3, docs: 1, e2e: 2 },
  )
  const before = check(directory)
  expect(before.code).toBe(1)
  expect(before.lines).toContain("packages/one: 1 findings, 3 allowed. Run `node scripts/check-words.mjs --lower`.")
  expect(before.lines).toContain("e2e: 0 findings, 2 allowed. Run `node scripts/check-words.mjs --lower`.")

  check(directory, "--lower")
  const list = JSON.parse(readFileSync(join(directory, "scripts/words-allowed.json"), "utf8")) as unknown
  expect(list).toEqual({ "packages/one": 1, docs: 1 })
})
