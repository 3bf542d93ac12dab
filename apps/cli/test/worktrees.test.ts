import { execFileSync } from "node:child_process"
import { existsSync } from "node:fs"
import { mkdir, readFile, rm, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { call, chatRequest, modelServer, reply, text } from "@pawl/model-server"
import { expect, it, onTestFinished } from "vitest"
import { jsonLines, workplace } from "./workplace.ts"

const IDENTITY = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"]
const AUTHOR = {
  ...{ GIT_AUTHOR_NAME: "Ada", GIT_AUTHOR_EMAIL: "ada@example.org" },
  ...{ GIT_COMMITTER_NAME: "Ada", GIT_COMMITTER_EMAIL: "ada@example.org" },
}

type Replies = Parameters<typeof modelServer>[0]["replies"]

/** A repository with one commit of these files, and a model that answers so. */
async function repository(replies: Replies, files: Readonly<Record<string, string>> = {}) {
  const place = await workplace()
  const { project } = place
  const git = (...args: readonly string[]) => {
    return execFileSync("git", ["-C", project, ...IDENTITY, ...args], { encoding: "utf8", stdio: "pipe" }).trim()
  }
  for (const [path, content] of Object.entries({ "a.txt": "one\n", ...files })) {
    await mkdir(dirname(join(project, path)), { recursive: true })
    await writeFile(join(project, path), content)
  }
  git("init", "-q", "-b", "main")
  git("add", "-A")
  git("commit", "-qm", "Begin")
  await writeFile(
    join(place.configuration, "pawl.json"),
    `{ "permission": { "*": "allow", "external_directory": "deny" } }`,
  )
  const server = await modelServer({ replies })
  onTestFinished(() => server[Symbol.asyncDispose]())
  const model = ["-m", "custom/test", "--base-url", server.url]
  const pawl = (args: readonly string[], options: object = {}) => place.pawl(args, { environment: AUTHOR, ...options })
  const listed = async () => jsonLines((await pawl(["worktree", "list", "--json"])).stdout)
  const pathOf = async () => String((await listed())[0]?.["path"])
  return { ...place, git, server, model, pawl, listed, pathOf }
}

const writing = (filePath: string, content: string) => [
  reply(call("write", { filePath, content })),
  reply(text("Done.")),
]

it("works in a worktree beside the user, continues there, and merges and removes it", async () => {
  const { pawl, model, git, project, listed, pathOf } = await repository([
    ...writing("b.txt", "b\n"),
    ...writing("c.txt", "c\n"),
    ...writing("d.txt", "d\n"),
  ])
  await writeFile(join(project, "mine.txt"), "mine\n")
  const before = git("status", "--porcelain")
  const index = await readFile(join(project, ".git/index"))

  const first = await pawl(["run", "--worktree=fix", ...model, "write b"])
  const path = await pathOf()
  expect(first.code).toBe(0)
  expect(first.stderr).toContain(`Worktree fix: ${path} (branch pawl/fix, new from main at`)
  expect(first.stderr).toContain(`1 uncommitted change of ${project} is not in the worktree`)
  expect(first.stderr).toContain("worktree merge fix")
  expect(first.stderr).toContain("run -c --worktree=fix --base-url")
  const second = await pawl(["run", "-c", "--worktree=fix", ...model, "write c"])
  const [session] = jsonLines((await pawl(["session", "list", "--all", "--json"])).stdout)
  const third = await pawl(["run", "-s", String(session?.["id"]), ...model, "write d"])
  expect([second.code, third.code]).toEqual([0, 0])
  expect(third.stderr).toContain("worktree merge fix")
  expect(session).toMatchObject({ directory: path })
  expect(["b", "c", "d"].map((name) => existsSync(join(path, `${name}.txt`)))).toEqual([true, true, true])
  expect(git("status", "--porcelain")).toBe(before)
  expect((await readFile(join(project, ".git/index"))).equals(index)).toBe(true)

  expect((await pawl(["worktree", "list"])).stdout).toMatch(/^fix {2}3 uncommitted {2}now {2}\//)
  expect((await pawl(["worktree", "diff", "--stat", "fix"])).stdout).toContain("3 files changed, 3 insertions(+)")
  expect(await pawl(["worktree", "remove", "fix"])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("has uncommitted changes: b.txt, c.txt, d.txt"),
  })
  const merged = await pawl(["worktree", "merge", "--squash", "-m", "Add files", "fix"])
  expect(merged.stdout).toContain("Merged pawl/fix into main as one commit")
  expect(git("log", "--format=%s")).toBe("Add files\nBegin")
  expect(git("status", "--porcelain")).toBe(before)
  expect((await pawl(["worktree", "remove", "fix"])).stdout).toContain(`Removed ${path} and the branch pawl/fix (was `)
  expect(await listed()).toEqual([])
})

it("works in the same directory of the worktree", async () => {
  const { pawl, model, project, pathOf, server } = await repository(
    [reply(call("read", { filePath: "x.txt" }), call("bash", { command: "pwd" })), reply(text("Read."))],
    { "sub/x.txt": "x\n" },
  )
  await pawl(["run", "--worktree=one", ...model, "read"], { directory: join(project, "sub") })
  const sent = JSON.stringify(chatRequest(server.requests.at(-1)).messages)
  expect(sent).toContain(`${await pathOf()}/sub`)
  expect(sent).not.toContain(`${project}/sub`)
})

it("refuses the user's own files as those of another directory", async () => {
  const replies: ReturnType<typeof reply>[] = []
  const { pawl, model, project, server } = await repository(replies)
  replies.push(reply(call("write", { filePath: join(project, "a.txt"), content: "no" })), reply(text("Denied.")))
  await pawl(["run", "--worktree", ...model, "write"])
  expect(await readFile(join(project, "a.txt"), "utf8")).toBe("one\n")
  expect(JSON.stringify(chatRequest(server.requests.at(-1)).messages)).toContain("external_directory")
})

it("trusts a worktree as the original directory is trusted, by its content", async () => {
  const plugin = `export default async () => ({ tool: {} })`
  const { pawl, model, git, pathOf } = await repository(
    [reply(text("Hello.")), reply(text("Hello.")), reply(text("Hello."))],
    { ".pawl/plugin/x.js": plugin, "pawl.json": `{ "permission": { "bash": "ask" } }` },
  )
  const untrusted = await pawl(["run", "--worktree=one", ...model, "hello"])
  expect(untrusted.stderr).toContain("This project is not trusted")
  await pawl(["trust", "--yes"])
  const trusted = await pawl(["run", "--worktree=one", ...model, "hello"])
  expect(trusted.stderr).not.toContain("not trusted")
  await writeFile(join(await pathOf(), ".pawl/plugin/x.js"), `${plugin}\n// changed`)
  const changed = await pawl(["run", "--worktree=one", ...model, "hello"])
  expect(changed.stderr).toContain("not trusted, as it changed since it was trusted (.pawl/plugin/x.js)")
  expect(git("status", "--porcelain")).toBe("")
})

it("applies the permission rules of the original directory, committed or not", async () => {
  const { pawl, model, project, pathOf, server } = await repository([
    reply(call("bash", { command: "touch made" })),
    reply(text("Denied.")),
  ])
  await writeFile(join(project, "pawl.json"), `{ "permission": { "bash": "deny" } }`)
  await pawl(["run", "--worktree=one", ...model, "touch"])
  expect(existsSync(join(await pathOf(), "made"))).toBe(false)
  expect(JSON.stringify(chatRequest(server.requests.at(-1)).messages)).toContain("deny")
})

it("merges and removes nothing while a session is at work there", async () => {
  const { start, pawl, model, pathOf } = await repository([
    reply(call("bash", { command: "echo begun > begun; sleep 60" })),
    reply(text("Done.")),
  ])
  const running = start(["run", "--worktree=one", ...model, "wait"])
  await expect.poll(async () => existsSync(join(await pathOf(), "begun"))).toBe(true)
  for (const args of [
    ["merge", "one"],
    ["remove", "--force", "one"],
  ]) {
    const { code, stderr } = await pawl(["worktree", ...args])
    expect([code, stderr]).toEqual([1, expect.stringContaining("is being worked on by another process")])
  }
  running.child.kill("SIGINT")
  await running.finished
  expect((await pawl(["worktree", "remove", "--force", "one"])).code).toBe(0)
})

it("refuses what does not go together, and leaves no worktree of a run that could not begin", async () => {
  const { pawl, model, listed } = await repository([])
  const refused = [
    [["--worktree=a/b", ...model, "x"], "invalid name of a worktree"],
    [["--worktree", "fix", "do it now", ...model], 'follows "="'],
    [["--worktree=one", "-s", "ses_1", "x"], "--worktree and -s cannot be used together"],
    [["--worktree", "-c", "x"], "-c needs the name of the worktree"],
    [["--worktree=none", "-c", "x"], 'no worktree "none"'],
    [["--worktree", "--agent", "nobody", ...model, "x"], "there is no such agent"],
  ] as const
  for (const [args, message] of refused) {
    const { code, stderr } = await pawl(["run", ...args])
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
  }
  expect(await listed()).toEqual([])
})

it("restores a worktree whose directory was deleted, and names it when a session misses it", async () => {
  const { pawl, model, pathOf } = await repository([...writing("b.txt", "b\n"), reply(text("Hello."))])
  await pawl(["run", "--worktree=one", ...model, "write b"])
  const [session] = jsonLines((await pawl(["session", "list", "--all", "--json"])).stdout)
  const path = await pathOf()
  await rm(path, { recursive: true })
  const missing = await pawl(["run", "-s", String(session?.["id"]), ...model, "hello"])
  expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining("pawl run -c --worktree=one")])
  const restored = await pawl(["run", "-c", "--worktree=one", ...model, "hello"])
  expect(restored.stderr).toContain("The directory of worktree one was missing")
  expect(existsSync(join(path, "a.txt"))).toBe(true)
})

it("completes the names of worktrees", async () => {
  const { pawl, model } = await repository([reply(text("Hello."))])
  await pawl(["run", "--worktree=fix-login", ...model, "hello"])
  for (const line of ["pawl worktree merge fi", "pawl run --worktree=fi"]) {
    expect((await pawl(["completion", "--line", line])).stdout).toContain("fix-login\t")
  }
})

it("lets a subagent work in a worktree of its own, and tells the parent its branch", async () => {
  const task = (prompt: string) => {
    return reply(call("task", { description: "make b", prompt, subagent_type: "apart" }))
  }
  const { pawl, model, git, project, server, listed, configuration } = await repository([
    task("write b"),
    ...writing("b.txt", "b\n"),
    task("look"),
    reply(text("Nothing to do.")),
    reply(text("All done.")),
  ])
  const apart = { mode: "subagent", description: "Works apart.", worktree: true }
  const config = { permission: { "*": "allow" }, agent: { apart } }
  await writeFile(join(configuration, "pawl.json"), JSON.stringify(config))

  expect(await pawl(["run", ...model, "delegate"])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("All done."),
  })

  const worktrees = await listed()
  expect(worktrees).toMatchObject([{ name: expect.stringMatching(/^apart-/), uncommitted: 0, ahead: 1 }])
  const branch = String(worktrees[0]?.["branch"])
  const sent = JSON.stringify(chatRequest(server.requests.at(-1)).messages)
  expect(sent).toContain(
    `Its changes are committed on the branch ${branch} (1 file changed, 1 insertion(+)), and not in ${project}.`,
  )
  expect(sent).toContain("It changed no files; its git worktree was removed.")
  expect(existsSync(join(project, "b.txt"))).toBe(false)
  expect(git("log", "-1", "--format=%s", branch)).toBe("make b (@apart subagent)")
})
