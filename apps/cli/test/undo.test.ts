import { readFile, writeFile } from "node:fs/promises"
import { existsSync } from "node:fs"
import { execFileSync } from "node:child_process"
import { join } from "node:path"
import { call, chatRequest, modelServer, reply, text } from "@pawl/model-server"
import { expect, it } from "vitest"
import { workplace } from "./workplace.ts"

const COMMAND = "sed -i s/one/1/ a.txt && rm b.txt && mkdir -p made && echo new > made/c.txt"

/** A repository in which a session has worked: a turn with a shell command, then one with an edit. */
async function worked() {
  const place = await workplace()
  await writeFile(join(place.configuration, "pawl.json"), `{ "permission": { "*": "allow" } }`)
  const { project: directory } = place
  await writeFile(join(directory, "a.txt"), "one\ntwo\nthree\n")
  await writeFile(join(directory, "b.txt"), "b\n")
  const author = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"]
  for (const args of [
    ["init", "-q"],
    ["add", "-A"],
    [...author, "commit", "-qm", "start"],
  ])
    execFileSync("git", args, { cwd: directory })
  const server = await modelServer({
    replies: [
      reply(call("bash", { command: COMMAND })),
      reply(text("Done.")),
      reply(call("write", { filePath: "d.txt", content: "d\n" })),
      reply(text("Written.")),
      reply(text("Understood.")),
    ],
  })
  const options = ["-m", "custom/test", "--base-url", server.url]
  await place.pawl(["run", ...options, "clean up"])
  await place.pawl(["run", "-c", ...options, "write d"])
  const textOf = (name: string) => readFile(join(directory, name), "utf8")
  return { ...place, directory, server, options, textOf, has: (name: string) => existsSync(join(directory, name)) }
}

it("undoes turn by turn, redoes them, and lists every file", async () => {
  const { pawl, textOf, has } = await worked()
  const first = await pawl(["undo"])
  expect(first).toMatchObject({ code: 0 })
  expect(first.stdout).toBe("Messages and files are undone from here on: write d\n  removed   d.txt\n")
  expect(first.stderr).toBe("To take it back before the next prompt: pawl redo\n")
  const second = await pawl(["undo"])
  expect(second.stdout).toBe(
    "Messages and files are undone from here on: clean up\n  restored  a.txt\n  put back  b.txt\n  removed   made/c.txt\n",
  )
  expect([await textOf("a.txt"), await textOf("b.txt"), has("made"), has("d.txt")]).toEqual([
    ...["one\ntwo\nthree\n", "b\n", false, false],
  ])
  expect((await pawl(["session", "show"])).stdout).toContain("undone from here on; until the next prompt, pawl redo")
  expect(await pawl(["undo"])).toMatchObject({ code: 2, stderr: expect.stringContaining("Nothing is left to undo") })
  expect((await pawl(["redo", "--all"])).stdout).toContain("Nothing is undone any more.\n")
  expect([await textOf("a.txt"), has("b.txt"), await textOf("made/c.txt"), await textOf("d.txt")]).toEqual([
    ...["1\ntwo\nthree\n", false, "new\n", "d\n"],
  ])
  expect(await pawl(["redo"])).toMatchObject({ code: 2, stderr: expect.stringContaining("there is nothing to redo") })
})

it("keeps the user's changes, and says which files it left alone", async () => {
  const { pawl, directory, textOf } = await worked()
  await writeFile(join(directory, "a.txt"), "1\ntwo\nthree, says the user\n")
  await writeFile(join(directory, "made/c.txt"), "the user's\n")
  await pawl(["undo", "--files"])
  const { code, stdout } = await pawl(["undo", "--files"])
  expect(code).toBe(1)
  expect(stdout).toContain("  merged    a.txt · your own changes of it are kept\n")
  expect(stdout).toContain("  conflict  made/c.txt · left as it is: It was changed since.\n")
  expect(await textOf("a.txt")).toBe("one\ntwo\nthree, says the user\n")
  expect(await textOf("made/c.txt")).toBe("the user's\n")
})

it("makes an undo final with the next prompt, and tells the model which files are as before", async () => {
  const { pawl, server, options } = await worked()
  await pawl(["undo", "--files"])
  await pawl(["run", "-c", ...options, "go on"])
  const sent = JSON.stringify(chatRequest(server.requests.at(-1)).messages)
  expect(sent).toContain("The user has undone your changes of these files")
  expect(sent).toContain("d.txt")
  expect(await pawl(["redo"])).toMatchObject({ code: 2 })
})

it("shows a patch that git takes back, a table, and one call", async () => {
  const { pawl, directory } = await worked()
  const { stdout } = await pawl(["diff"])
  expect(stdout).toContain("-one\n+1\n")
  execFileSync("git", ["apply", "-R"], { cwd: directory, input: stdout })
  expect(execFileSync("git", ["status", "--short"], { cwd: directory, encoding: "utf8" })).toBe("")
  expect((await pawl(["diff", "--stat"])).stdout).toContain(" 4 files changed, 3 added, 2 removed\n")
  expect((await pawl(["diff", "--tool", "call_none"])).stderr).toBe("The session has changed no files.\n")
  const [first] = (await pawl(["diff", "--json"])).stdout.split("\n")
  expect(JSON.parse(first ?? "")).toMatchObject({ file: "a.txt", additions: 1, deletions: 1, status: "modified" })
})

it("refuses what does not exist, and names it", async () => {
  const { pawl } = await worked()
  const refused = [
    [["undo", "--files", "--chat"], "--files and --chat exclude each other"],
    [["undo", "--to", "msg_none"], "has no message msg_none"],
    [["undo", "-s", "ses_none0"], "There is no session ses_none0"],
    [["diff", "ses_none0"], "There is no session ses_none0"],
  ] as const
  for (const [args, message] of refused) {
    const { code, stderr } = await pawl(args)
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
  }
})

it("counts the contents that it keeps", async () => {
  const { pawl } = await worked()
  // Of a.txt before and after, of b.txt before, of made/c.txt and d.txt after.
  expect((await pawl(["storage", "stats"])).stdout).toMatch(/^ {2}for undo +5 +34 B$/m)
  const { stdout } = await pawl(["storage", "gc", "--format", "json"])
  expect(JSON.parse(stdout)).toEqual({ blobs: 0, bytes: 0, undo: { count: 0, bytes: 0 } })
})
