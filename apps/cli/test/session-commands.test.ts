import { mkdir, readdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { desk } from "./in-process.ts"
import { jsonLines } from "./workplace.ts"

describe("sessions", () => {
  it("are renamed, and found by their title", async () => {
    const { pawl, talk, sessions } = await desk()
    const id = await talk("fix it")
    await talk("another")

    const renamed = await pawl("session", "rename", id, "The", "flaky test")

    expect(renamed).toMatchObject({ code: 0, stdout: "", stderr: `${id} is now called "The flaky test".\n` })
    expect((await sessions("--title", "FLAKY")).map(({ title }) => title)).toEqual(["The flaky test"])
    expect((await pawl("session", "list", "--title", "none")).stderr).toMatch(
      /^No sessions of .*project with "none" in their title in sqlite:/,
    )
    expect(await pawl("session", "rename", id, " ")).toMatchObject({ code: 2 })
    expect(await pawl("session", "rename", "ses_x", "y")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("There is no session ses_x in sqlite:"),
    })
  })

  it("leave the list when they are archived, and come back", async () => {
    const { pawl, talk, sessions } = await desk()
    const [first, second] = [await talk("one"), await talk("two")]

    await pawl("session", "archive", first)

    expect((await sessions()).map(({ id }) => id)).toEqual([second])
    expect((await sessions("--archived")).map(({ id }) => id)).toEqual([first])
    expect(await pawl("session", "archive", second, "ses_x")).toMatchObject({ code: 2 })
    expect(await sessions()).toHaveLength(1)
    await pawl("session", "unarchive", first)
    expect(await sessions()).toHaveLength(2)
  })

  it("are forked, whole or before a message", async () => {
    const { pawl, talk } = await desk()
    const id = await talk("one")
    const messages = jsonLines((await pawl("session", "show", "--format", "json", id)).stdout)
    const [, { info }] = messages as unknown as [unknown, { readonly info: { readonly id: string } }]

    const whole = await pawl("session", "fork", id)
    const cut = await pawl("session", "fork", "--message", info.id, "--format", "json", id)

    expect(whole.stdout).toMatch(/^ses_\w+\n$/)
    expect(whole.stderr).toContain(`one (fork #1)\ngo on: pawl run -s ${whole.stdout.trim()} "…"`)
    const { id: fork, title } = JSON.parse(cut.stdout) as { id: string; title: string }
    expect(title).toBe("one (fork #2)")
    expect(jsonLines((await pawl("session", "show", "--format", "json", fork)).stdout)).toHaveLength(1)
    expect(await pawl("session", "fork", "--message", "msg_x", id)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`Session ${id} has no message msg_x.`),
    })
    expect(await pawl("session", "fork", "--part", "prt_x", id)).toMatchObject({ code: 2 })
  })

  it("are removed into the trash and restored from there as they were", async () => {
    const { pawl, talk, sessions, data } = await desk()
    const id = await talk("one")
    const before = (await pawl("session", "show", "--format", "json", id)).stdout

    expect(await pawl("session", "remove", id)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("Pass --yes to remove without asking."),
    })
    const removed = await pawl("session", "remove", "--yes", id)

    expect(removed).toMatchObject({
      code: 0,
      stderr: `removed ${id}  one\nTo restore within 7 days: pawl session restore ${id}\n`,
    })
    expect(await sessions()).toEqual([])
    const [{ file } = {}] = jsonLines((await pawl("session", "restore", "--format", "json")).stdout)
    const document = JSON.parse(await readFile(String(file), "utf8")) as { format: string }
    expect(document.format).toBe("pawl-session")
    expect((await pawl("session", "restore")).stdout).toBe(`${id}  now  one\n`)
    expect(jsonLines((await pawl("session", "restore", "--format", "json")).stdout)).toMatchObject([
      { id, title: "one" },
    ])

    expect(await pawl("session", "restore", id)).toMatchObject({ code: 0, stderr: `restored ${id}  one\n` })
    expect((await pawl("session", "show", "--format", "json", id)).stdout).toBe(before)
    expect((await pawl("session", "restore")).stderr).toBe("No sessions were removed in the last 7 days.\n")
    expect(await pawl("session", "restore", id)).toMatchObject({ code: 2 })
    const audit = jsonLines(await readFile(join(data, "trash/audit.jsonl"), "utf8"))
    expect(audit).toMatchObject([
      { action: "remove", sessionID: id, title: "one", sessions: 1 },
      { action: "restore", sessionID: id },
    ])
    expect(await readdir(join(data, "trash"))).toEqual(["audit.jsonl"])

    await pawl("session", "remove", "--yes", id)
    const [kept] = jsonLines((await pawl("session", "restore", "--json")).stdout)
    const content = await readFile(String(kept?.["file"]))
    const again = await pawl("session", "restore", id, "--json")
    expect(jsonLines(again.stdout)).toMatchObject([{ id, title: "one" }])
    expect(again.stderr).toBe(`restored ${id}  one\n`)

    await writeFile(String(kept?.["file"]), content)
    expect(await pawl("session", "restore", id)).toMatchObject({
      ...{ code: 0, stderr: `nothing to restore: it already exists unchanged: ${id}  one\n` },
    })
  })

  it("of the same id, removed from two storages, are both restored to where they were", async () => {
    const { pawl, talk, project, sessions } = await desk()
    const id = await talk("one")
    const elsewhere = ["--storage", `sqlite:${join(project, "other.db")}`]
    await pawl("session", "export", id, "-o", "session.json")
    await pawl("session", "import", "session.json", ...elsewhere)
    await pawl("session", "rename", ...elsewhere, id, "the other")
    await pawl("session", "remove", "--yes", id)
    await pawl("session", "remove", "--yes", ...elsewhere, id)

    const listed = (await pawl("session", "restore")).stdout
    expect(listed).toMatch(/ the other {2}sqlite:.*other\.db\n/)
    expect(listed).toMatch(/ one {2}sqlite:.*pawl\.db\n/)
    expect(await pawl("session", "restore", id)).toMatchObject({ code: 0 })
    const missing = await pawl("session", "restore", id)
    expect(missing).toMatchObject({ code: 2 })
    expect(missing.stderr).toContain(`pawl session restore ${elsewhere.join(" ")} ${id}\n`)
    expect(await pawl("session", "restore", ...elsewhere, id)).toMatchObject({ code: 0 })

    expect((await sessions()).map(({ title }) => title)).toEqual(["one"])
    expect((await sessions(...elsewhere)).map(({ title }) => title)).toEqual(["the other"])
  })

  it("go from one storage to another as a document", async () => {
    const { pawl, talk, project } = await desk()
    const id = await talk("one")
    const file = join(project, "session.json")

    const exported = await pawl("session", "export", "-o", "session.json", id)
    const piped = await pawl("session", "export", id)

    expect(exported).toMatchObject({ code: 0, stdout: "" })
    expect(exported.stderr).toBe("exported 1 session, 2 messages, 4 parts, 0 blobs to session.json\n")
    expect(piped.stdout).toBe(await readFile(file, "utf8"))
    const elsewhere = ["--storage", `sqlite:${join(project, "other.db")}`]
    const imported = await pawl("session", "import", file, "--map", `${project}=/srv/app`, ...elsewhere)
    expect(imported).toMatchObject({ code: 0, stdout: `${id}  added\n` })
    expect((await pawl("session", "list", "--all", ...elsewhere)).stdout).toMatch(/one +\/srv\/app\n$/)
    const again = await pawl("session", "import", file, ...elsewhere)
    expect(again).toMatchObject({ code: 2, stdout: "" })
    expect(again.stderr).toContain(
      "differs from the document. Nothing was imported.\nImport a copy: pawl session import --new-ids",
    )
    expect(await pawl("session", "import", "--new-ids", file, ...elsewhere)).toMatchObject({ code: 0 })
    expect(await pawl("session", "import", file)).toMatchObject({ code: 0, stdout: `${id}  here already\n` })
  })

  it("are imported from a file that an editor put a byte order mark before, and from no directory", async () => {
    const { pawl, talk, project } = await desk()
    const id = await talk("one")
    await writeFile(join(project, "marked.json"), `\uFEFF${(await pawl("session", "export", id)).stdout}`)

    expect(await pawl("session", "import", "marked.json")).toMatchObject({ code: 0, stdout: `${id}  here already\n` })
    expect((await pawl("session", "import", ".")).stderr).toContain(`A directory, where a file was wanted: ${project}`)
  })

  it("are not imported from a file that is not there", async () => {
    const { pawl, project } = await desk()

    expect(await pawl("session", "import", "session.json")).toEqual({
      code: 2,
      stdout: "",
      stderr: `pawl: There is no file ${join(project, "session.json")}.\nUse a file from pawl session export.\n`,
    })
  })

  it("are masked for others where that is wanted, and it is said what was found", async () => {
    const { pawl, talk } = await desk()
    const id = await talk("use the key sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789")

    const plain = await pawl("session", "export", "--raw", id)
    const masked = await pawl("session", "export", "--sanitize", id)
    const empty = await pawl("session", "export", "--without-content", id)

    expect(plain.stdout).toContain("sk-ant-api03-abcdefghij")
    expect(masked.stdout).not.toContain("sk-ant-api03-abcdefghij")
    expect(masked.stdout).toContain("use the key")
    // The title was masked before it was cut, so it is stored without the key.
    expect(masked.stderr).toMatch(/\nmasked: 1 × .*\n {2}msg_\w+ prompt: 1 × secret\.key\n/)
    expect(empty.stdout).not.toContain("use the key")
  })

  it.each([
    { text: "{", says: "document.json is not valid JSON: " },
    { text: "\n", says: "document.json is empty.\nUse a file from pawl session export.\n" },
    { text: "{}", says: "The document cannot be imported: " },
  ])("are not imported from $text", async ({ text, says }) => {
    const { pawl, project } = await desk()
    await writeFile(join(project, "document.json"), text)

    const imported = await pawl("session", "import", "document.json")

    expect(imported.code).toBe(2)
    expect(imported.stderr).toContain(says)
  })

  it("are not imported where a field is larger than what is read, in whatever layout", async () => {
    const { pawl, project, talk } = await desk()
    const { stdout } = await pawl("session", "export", await talk("hello"))
    const title = "x".repeat(10_001)
    const long = stdout.replace(/"title":"[^"]*"/, `"title":"${title}"`)
    const documents = {
      "lines.json": long,
      "compact.json": JSON.stringify(JSON.parse(long)),
      "marked.json": `\uFEFF${long}`,
      "opencode.json": JSON.stringify({ info: { id: "ses_a", title }, messages: [] }),
    }
    for (const [name, text] of Object.entries(documents)) {
      await writeFile(join(project, name), text)
      const imported = await pawl("session", "import", name)
      expect(imported.code).toBe(2)
      expect(imported.stderr).toMatch(/title: It has 10,001 characters, and at most 10,000 are read\. Shorten it there/)
    }
  })

  it("come from OpenCode's files too, once, and are listed among the others", async () => {
    const { pawl, project, sessions } = await desk()
    const tree = join(project, "opencode/storage")
    const time = { created: 1_760_000_000_000, updated: 1_760_000_000_000 }
    const [session, message] = ["ses_5a1b2c3d4e5fAbCdEfGhIjKlMn", "msg_a5e4d3c2b1a0AbCdEfGhIjKlMn"]
    const owner = { sessionID: session, messageID: message }
    const model = { providerID: "anthropic", modelID: "claude" }
    const files = {
      [`session/abc/${session}.json`]: {
        id: session,
        projectID: "abc",
        directory: project,
        title: "From OpenCode",
        version: "1",
        time,
      },
      [`message/${session}/${message}.json`]: {
        id: message,
        sessionID: session,
        role: "user",
        time,
        agent: "build",
        model,
      },
      [`part/${message}/prt_1.json`]: { id: "prt_1", ...owner, type: "text", text: "count the walruses" },
    }
    for (const [path, value] of Object.entries(files)) {
      await mkdir(join(tree, path, ".."), { recursive: true })
      await writeFile(join(tree, path), JSON.stringify(value))
    }

    const imported = await pawl("session", "import", "--from-opencode", "opencode", "--format", "json")
    const again = await pawl("session", "import", "--from-opencode", "opencode")

    expect(imported.code).toBe(0)
    expect(jsonLines(imported.stdout)).toMatchObject([{ from: session, outcome: "added" }])
    expect(again).toMatchObject({
      code: 0,
      stdout: "",
      stderr: expect.stringContaining("1 session: 1 here already"),
    })
    expect((await sessions()).map(({ title }) => title)).toEqual(["From OpenCode"])
    expect((await pawl("search", "walrus")).stdout).toContain("count the walruses")
  })

  it("of OpenCode of which records were left out end with 1, each time, and it is said how many", async () => {
    const { pawl, project } = await desk()
    const tree = join(project, "opencode/storage")
    const session = {
      id: "ses_5a1b2c3d4e5fAbCdEfGhIjKlMn",
      projectID: "abc",
      directory: project,
      title: "x",
      version: "1",
    }
    const time = { created: 1_760_000_000_000, updated: 1_760_000_000_000 }
    await mkdir(join(tree, "session/abc"), { recursive: true })
    await mkdir(join(tree, "message", session.id), { recursive: true })
    await writeFile(join(tree, "session/abc", `${session.id}.json`), JSON.stringify({ ...session, time }))
    await writeFile(join(tree, "message", session.id, "msg_a5e4d3c2b1a0AbCdEfGhIjKlMn.json"), "{ cut o")

    for (const outcome of ["1 added", "1 here already"]) {
      const { code, stderr } = await pawl("session", "import", "--from-opencode", "opencode")
      expect(code).toBe(1)
      expect(stderr).toContain("msg_a5e4d3c2b1a0AbCdEfGhIjKlMn.json: It is not valid JSON and was left out.\n")
      expect(stderr).toContain(`1 session: ${outcome}\n`)
      expect(stderr).toContain(
        "Not everything could be imported: 1 record of OpenCode could not be read and was left out.\n",
      )
    }
  })

  it("are not imported from a document that is nested without end", async () => {
    const { pawl, project } = await desk()
    await writeFile(join(project, "bomb.json"), `${'{"a":['.repeat(100_000)}1${"]}".repeat(100_000)}`)

    const { code, stderr } = await pawl("session", "import", "bomb.json")

    expect(code).toBe(2)
    expect(stderr).toContain("It is nested deeper than 500 levels, which no session is.")
  })

  it("of OpenCode are asked for where there are none", async () => {
    const { pawl, project } = await desk()

    const imported = await pawl("session", "import", "--from-opencode", "nowhere")

    expect(imported).toMatchObject({ code: 2, stdout: "" })
    expect(imported.stderr).toContain(`There is no record of OpenCode at ${join(project, "nowhere")}.`)
  })
})
