import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { desk } from "./in-process.ts"
import { jsonLines, workplace } from "./workplace.ts"

const HELLO = ["-m", "replay/hello"]

describe("paths as Windows writes them", () => {
  it.each([
    { args: ["run", ...HELLO, "--dir", String.raw`C:\work\app`, "hi"], names: String.raw`C:\work\app` },
    { args: ["run", ...HELLO, "-f", String.raw`C:\notes.txt`, "hi"], names: String.raw`C:\notes.txt` },
    { args: ["run", "--script", String.raw`C:\play.jsonl`, "hi"], names: String.raw`C:\play.jsonl` },
    { args: ["session", "import", String.raw`C:\x\y.json`], names: String.raw`C:\x\y.json` },
    { args: ["session", "list", "--dir", String.raw`\\server\share`], names: String.raw`\\server\share` },
  ])("are named in the error where there is no such file: $args", async ({ args, names }) => {
    const { pawl } = await desk()
    const { code, stderr } = await pawl(...args)

    expect([1, 2]).toContain(code)
    expect(stderr).toContain(names)
    expect(stderr).not.toMatch(/^\s+at /m)
  })

  it("are a file's name here like any other", async () => {
    const { pawl, project } = await desk()
    await writeFile(join(project, String.raw`C:\notes.txt`), "x")

    expect((await pawl("run", ...HELLO, "-f", String.raw`C:\notes.txt`, "hi")).code).toBe(0)
  })

  it("stand in a prompt as they are typed", async () => {
    const { pawl, project } = await desk()
    const text = String.raw`look at @C:\x\y and C:\temp\new`
    expect((await pawl("run", ...HELLO, text)).code).toBe(0)

    expect((await pawl("session", "show", "--json")).stdout).toContain(JSON.stringify(text).slice(1, -1))
    expect(project).not.toContain("\\")
  })
})

describe("lines that end as Windows ends them, and a byte order mark", () => {
  it.each(["\r\n", "\n"])("are read in a configuration: %j", async (end) => {
    const { pawl, configuration } = await desk()
    const lines = ["\uFEFF{", "  // a comment", '  "model": "replay/hello",', '  "title": false,', "}", ""]
    await writeFile(join(configuration, "pawl.jsonc"), lines.join(end))

    expect((await pawl("run", "hi")).code).toBe(0)
  })

  it("are read in the file of an agent", async () => {
    const { pawl, project } = await desk()
    await mkdir(join(project, ".pawl/agent"), { recursive: true })
    const text = "\uFEFF---\r\ndescription: Looks.\r\nmode: subagent\r\n---\r\n\r\nYou look.\r\n"
    await writeFile(join(project, ".pawl/agent/looker.md"), text)

    const { stdout } = await pawl("agent", "show", "looker", "--json")
    expect(JSON.parse(stdout)).toMatchObject({ description: "Looks.", mode: "subagent" })
  })

  it("are kept in a task from stdin, but for the mark", async () => {
    const { pawl } = await workplace()
    const { code } = await pawl(["run", ...HELLO, "-"], { stdin: "\uFEFFfirst\r\nsecond\r\n" })
    const { stdout } = await pawl(["session", "show", "--json"])

    const [asked] = jsonLines(stdout) as { parts: { text: string }[] }[]
    expect({ code, text: asked?.parts[0]?.text }).toEqual({ code: 0, text: "first\r\nsecond" })
  })
})

describe("a command line", () => {
  it("may be as long as the system lets it be", async () => {
    const { pawl } = await workplace()
    const words = Array.from({ length: 6 }, (_, at) => `${at}`.repeat(100_000))
    const { code, stdout } = await pawl(["run", ...HELLO, ...words])

    expect({ code, begin: stdout.slice(0, 6) }).toEqual({ code: 0, begin: "Hello!" })
  })

  it("may hold bytes that are no text", async () => {
    const { pawl } = await workplace()
    const prefix = ["sh", "-c", String.raw`exec "$@" "$(printf 'caf\351 \377\376')"`, "sh"]

    for (const args of [
      ["run", ...HELLO],
      ["session", "show"],
      ["session", "list", "--title"],
      [],
      ["run", "--format"],
    ]) {
      const { code, stderr } = await pawl(args, { prefix })
      expect([0, 1, 2]).toContain(code)
      expect(stderr).not.toMatch(/^\s+at /m)
    }
  })

  it.each(["C", "POSIX", "xx_YY.KOI8-Z", ""])("is understood and answered in UTF-8 where LANG is %j", async (lang) => {
    const { pawl } = await workplace()
    const environment = { LANG: lang, LC_ALL: lang, LANGUAGE: lang }
    const { code } = await pawl(["run", ...HELLO, "--title", "Überprüfung 東京", "grüße"], { environment })
    const { stdout } = await pawl(["session", "list"], { environment })

    expect({ code, shown: stdout.includes("Überprüfung 東京") }).toEqual({ code: 0, shown: true })
  })
})
