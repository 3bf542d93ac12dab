import { readdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { desk } from "./in-process.ts"
import { jsonLines } from "./workplace.ts"

describe("the storage", () => {
  it("is counted, verified, cleared up and rebuilt", async () => {
    const { pawl, talk, data } = await desk()
    await talk("one")

    const location = `sqlite:${join(data, "pawl.db")}`
    const stats = await pawl("storage", "stats")
    expect(stats.stdout).toMatch(
      new RegExp(`^${location}\nsessions +1 +\\d+ B\nmessages +2 .*\nparts +4 .*\nblobs +0 +0 B\nin all`),
    )
    expect(jsonLines((await pawl("storage", "stats", "--format", "json")).stdout)).toMatchObject([
      { location, records: { session: { count: 1 }, message: { count: 2 } } },
    ])
    expect(await pawl("storage", "verify")).toMatchObject({
      code: 0,
      stdout: "",
      stderr: `No problems in ${location}.\n`,
    })
    expect(await pawl("storage", "gc", "--min-age", "0")).toMatchObject({
      code: 0,
      stderr: `Nothing to remove in ${location}.\n`,
    })
    expect(await pawl("storage", "gc", "--min-age", "soon")).toMatchObject({ code: 2 })
    expect(await pawl("storage", "rebuild")).toMatchObject({
      code: 0,
      stderr: `Rebuilt derived data in ${location}.\n`,
    })
  })

  it("fails its verification where something is missing", async () => {
    const { pawl, talk } = await desk()
    await talk(`look at blob:${"a".repeat(64)}`)
    // A reference is a string that is an id alone, as titles can be.
    const [{ id } = {}] = jsonLines((await pawl("session", "list", "--format", "json")).stdout)
    await pawl("session", "rename", String(id), `blob:${"b".repeat(64)}`)

    const verified = await pawl("storage", "verify")
    const json = await pawl("storage", "verify", "--format", "json")

    expect(verified.code).toBe(1)
    expect(verified.stdout).toContain(`reference ${"b".repeat(64)}\n  `)
    expect(verified.stderr).toMatch(/^1 problem in sqlite:/)
    expect(json.code).toBe(1)
    expect(jsonLines(json.stdout)).toMatchObject([{ kind: "reference", subject: "b".repeat(64) }])
  })

  it("is backed up into a file that opens like any storage", async () => {
    const { pawl, talk, project } = await desk()
    const id = await talk("one")

    const made = await pawl("storage", "backup", "backup.db")
    const again = await pawl("storage", "backup", "backup.db")

    expect(made.code).toBe(0)
    expect(made.stderr).toContain(`backed up to ${join(project, "backup.db")}, `)
    expect((await pawl("session", "list", "--storage", "sqlite:backup.db")).stdout).toContain(id)
    expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining("backup.db is there already.") })
  })

  it("is copied to another one, again without doing anything, and what is there is searched", async () => {
    const { pawl, talk } = await desk()
    await talk("one")
    await talk("two")

    const copied = await pawl("storage", "copy", "--to", "file:tree")
    const again = await pawl("storage", "copy", "--to", "file:tree", "--format", "json")

    expect(copied.code).toBe(0)
    expect(copied.stderr).toMatch(/^copied to file:.*tree: 2 added\n2 of 2 sessions read back and found equal\n$/)
    expect(jsonLines(again.stdout)).toMatchObject([{ sessions: { added: 0, unchanged: 2 }, verified: 2, total: 2 }])
    const found = jsonLines((await pawl("search", "two", "--storage", "file:tree", "--format", "json")).stdout)
    expect(found).toMatchObject([{ title: "two", excerpt: "two" }])
  })

  it("is not made by a slip of the pen", async () => {
    const { pawl, project } = await desk()
    const says = `there is nothing at ${join(project, "typo.db")}.`

    for (const command of [
      ["session", "list", "--storage", "sqlite:typo.db"],
      ["storage", "verify", "--storage", "sqlite:typo.db"],
      ["storage", "copy", "--from", "sqlite:typo.db", "--to", "memory:"],
    ]) {
      expect(await pawl(...command)).toMatchObject({ code: 2, stderr: expect.stringContaining(says) })
    }
  })

  it.each([
    ["sqlite:", "names no SQLite file.", "Write sqlite:/var/lib/pawl/pawl.db, or another path."],
    ["sqlite://", "names no SQLite file.", "Write sqlite:/var/lib/pawl/pawl.db"],
    ["file:", "names no directory.", "Write file:/var/lib/pawl, or another path."],
    ["FILE://", "names no directory.", "Write file:/var/lib/pawl"],
  ])("is not opened by %s, which names no place", async (url, says, hint) => {
    const { pawl, environment } = await desk()

    const flag = await pawl("session", "list", "--storage", url)
    environment["PAWL_STORAGE"] = url
    const variable = await pawl("session", "list")

    expect([flag, variable].map(({ code }) => code)).toEqual([2, 2])
    expect(flag.stderr).toContain(`--storage: "${url}" ${says}\n${hint}`)
    expect(variable.stderr).toContain(`PAWL_STORAGE: "${url}" ${says}\n${hint}`)
  })

  it.each([
    { args: ["storage", "copy"], says: "missing option --to <url>" },
    { args: ["storage", "copy", "--to", "sqlite:a.db", "--from", "sqlite:a.db"], says: "name the same storage" },
    { args: ["storage", "backup"], says: "missing file" },
    { args: ["search"], says: "missing text" },
    { args: ["search", "!?"], says: '"!?" contains no word to search for.' },
    {
      args: ["session", "import", "x.json", "--map", "here"],
      says: 'invalid value "here" for --map: expected <from>=<to>',
    },
    { args: ["session", "import"], says: "missing file" },
  ])("commands that lack something say what: $args", async ({ args, says }) => {
    const { pawl, project } = await desk()
    await writeFile(join(project, "a.db"), "")

    expect(await pawl(...args)).toMatchObject({ code: 2, stderr: expect.stringContaining(says) })
  })
})

describe("search", () => {
  it("finds what was said, newest first, in this directory, in one session or everywhere", async () => {
    const { pawl, talk, project, environment } = await desk()
    const first = await talk("look at the walrus")
    const second = await talk("feed the walrus")
    environment["PWD"] = project

    const here = await pawl("search", "WALR")
    const one = jsonLines((await pawl("search", "-s", first, "walrus", "--format", "json")).stdout)
    const all = await pawl("search", "--all", "-n", "1", "walrus")

    expect(here.stdout).toMatch(
      new RegExp(
        `^${second}  now  feed the walrus\n  feed the walrus\n\n${first}  now  look at the walrus\n  look at the walrus\n$`,
      ),
    )
    expect(one).toMatchObject([{ sessionID: first, excerpt: "look at the walrus" }])
    expect(all.stdout).toMatch(new RegExp(`^${second}  now  feed the walrus  ${project}\n  feed the walrus\n$`))
    expect(await pawl("search", "zebra")).toMatchObject({
      code: 0,
      stdout: "",
      stderr: expect.stringContaining('Nothing with "zebra" in the sessions of '),
    })
  })
})

describe("which storage is used", () => {
  it("is said by the option, the variable, the user's configuration, in this order", async () => {
    const { pawl, talk, configuration, environment, data } = await desk()
    const located = async (...options: string[]) => {
      const { stdout } = await pawl("storage", "stats", "--format", "json", ...options)
      return (JSON.parse(stdout) as { location: string }).location
    }
    expect(await located()).toBe(`sqlite:${join(data, "pawl.db")}`)
    await writeFile(join(configuration, "pawl.jsonc"), JSON.stringify({ storage: "sqlite:mine.db" }))
    expect(await located()).toBe(`sqlite:${join(configuration, "mine.db")}`)
    environment["PAWL_STORAGE"] = "memory:"
    expect(await located()).toBe("memory")
    await talk("one", "--storage", `file:${join(data, "tree")}`)
    expect(await located("--storage", `file:${join(data, "tree")}`)).toBe(`file:${join(data, "tree")}`)
  })

  it("is no project's business: its choice is refused aloud, and the task goes on in the user's own", async () => {
    const { pawl, project, sessions } = await desk()
    const file = join(project, "pawl.jsonc")
    await writeFile(file, JSON.stringify({ storage: "npm:evil#x" }))

    const run = await pawl("run", "-m", "replay/hello", "hi")

    expect(run.code).toBe(0)
    expect(run.stderr.replaceAll("\n", " ")).toContain(
      `${file}: "storage" does nothing here. A project chooses neither where your sessions are stored nor code`,
    )
    expect(await sessions()).toHaveLength(1)
  })

  it.each([
    { url: "x.db", says: '--storage: "x.db" is not a storage that pawl knows.' },
    { url: "redis://me:secret@db", says: '--storage: "redis://me:…@db" is not a storage that pawl knows.' },
    { url: "sqlite:", says: '"sqlite:" names no SQLite file' },
    { url: "npm:../evil#x", says: '--storage: "npm:../evil#x" names no package.' },
    {
      url: "npm:pawl-no-such#x",
      says: 'The package "pawl-no-such", which --storage wants to store sessions, is not installed.',
    },
  ])("is refused with what to write: $url", async ({ url, says }) => {
    const { pawl } = await desk()

    const listed = await pawl("session", "list", "--storage", url)

    expect(listed.code).toBeGreaterThan(0)
    expect(listed.stderr).toContain(says)
    expect(listed.stderr).not.toContain("secret")
  })

  it.each(["text", "json"])("never shows a password, with --format %s", async (format) => {
    const { pawl, environment } = await desk()
    environment["PAWL_DEBUG"] = "1"
    const url = "postgres://me:s3cret@127.0.0.1:1/pawl?connect_timeout=1"

    for (const args of [
      ["session", "list"],
      ["run", "-m", "replay/hello", "hi"],
    ]) {
      const called = await pawl(...args, "--format", format, "--storage", url)
      expect(called.code).toBeGreaterThan(0)
      expect(called.stderr + called.stdout).not.toContain("s3cret")
    }
  })
})

it("says in one line that records cannot be read, and answers without them", async () => {
  const { pawl, project } = await desk()
  const storage = ["--storage", "file:tree"]
  await writeFile(join(project, "two.jsonl"), '{"text": "First."}\n{"text": "Second."}\n')
  await pawl("run", "--script", "two.jsonl", ...storage, "one")
  const parts = join(project, "tree/part")
  const [message = ""] = await readdir(parts)
  const [part = ""] = await readdir(join(parts, message))
  await writeFile(join(parts, message, part), "{ not any more")

  const run = await pawl("run", "-c", "--script", "two.jsonl", ...storage, "two")
  const verified = await pawl("storage", "verify", ...storage)

  expect(run).toMatchObject({ code: 0, stdout: "Second.\n" })
  expect(run.stderr).toContain(
    "1 stored record of this session cannot be read, left out here; which ones: pawl storage verify\n",
  )
  expect(verified.code).toBe(1)
  expect(verified.stdout).toContain("damaged ")
})

it("keeps the audit of removals readable after a line was cut", async () => {
  const { pawl, talk, data } = await desk()
  const [first, second] = [await talk("one"), await talk("two")]
  await pawl("session", "remove", "--yes", first)
  const file = join(data, "trash/audit.jsonl")
  await writeFile(file, `${await readFile(file, "utf8")}{"time":"20`)

  expect((await pawl("session", "restore")).stdout).toContain(first)
  expect(await pawl("session", "remove", "--yes", second)).toMatchObject({ code: 0 })
})
