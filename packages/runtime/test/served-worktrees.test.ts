import { execFileSync } from "node:child_process"
import { mkdir, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { createServer } from "@pawl/server"
import { expect, it, onTestFinished } from "vitest"
import { openServedDirectory } from "../src/served-directory.ts"
import { runtimeHost } from "./runtime-host.ts"
import { temporaryDirectory } from "./temporary-directory.ts"

const PATH = "/experimental/worktree"
const IDENTITY = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"]

interface Answer {
  readonly status: number
  readonly body: unknown
}

/** A server for all directories below one, of which `project` is a repository with one commit unless `isPlain`. */
async function served({ isPlain = false, replies = [{ text: "Hi." }] as readonly object[] } = {}) {
  const root = await temporaryDirectory()
  const [project, config] = [join(root, "project"), join(root, "config")]
  await mkdir(project)
  await mkdir(config)
  await writeFile(join(config, "pawl.json"), '{ "permission": { "bash": "ask" } }')
  const git = (...args: readonly string[]) => {
    return execFileSync("git", ["-C", project, ...IDENTITY, ...args], { encoding: "utf8", stdio: "pipe" }).trim()
  }
  if (!isPlain) {
    await writeFile(join(project, "a.txt"), "one\n")
    git("init", "-q", "-b", "main")
    git("add", "-A")
    git("commit", "-qm", "Begin")
  }
  const environment = {
    ...{ PAWL_DATA_DIR: join(root, "data"), PAWL_CONFIG_DIR: config, PATH: process.env["PATH"] },
    GIT_CONFIG_GLOBAL: "/dev/null",
  }
  const script = join(root, "replies.jsonl")
  await writeFile(script, replies.map((reply) => `${JSON.stringify(reply)}\n`).join(""))
  const opened: string[] = []
  const server = createServer({
    directory: project,
    version: "9.9.9",
    open(directory) {
      opened.push(directory)
      const host = runtimeHost({ directory, home: root, environment })
      return openServedDirectory({ directory, host, model: { script, pace: 0 } })
    },
  })
  onTestFinished(() => server.close())
  const send = async (method: string, path: string, body?: object, directory?: string): Promise<Answer> => {
    const url = new URL(path, "http://localhost")
    if (directory !== undefined) url.searchParams.set("directory", directory)
    const answer = await server.fetch(new Request(url, { method, ...(body ? { body: JSON.stringify(body) } : {}) }))
    return { status: answer.status, body: answer.status === 204 ? undefined : await answer.json() }
  }
  const create = async (name?: string, directory?: string) => {
    const { status, body } = await send("POST", PATH, { name }, directory)
    expect({ status, body }).toMatchObject({ status: 200 })
    return body as { readonly name: string; readonly branch: string; readonly directory: string }
  }
  const remove = (directory: string, from?: string) => send("DELETE", PATH, { directory }, from)
  const reset = (directory: string) => send("POST", `${PATH}/reset`, { directory })
  const list = async () => (await send("GET", PATH)).body
  return { root, project, git, send, create, remove, reset, list, opened }
}

function failed(name: string, message: string) {
  return { status: 400, body: { name, data: { message: expect.stringContaining(message) } } }
}

it("creates worktrees outside of the project, lists them, and works in them", async () => {
  const { root, project, git, send, create, list, opened } = await served()
  await writeFile(join(project, "mine.txt"), "mine\n")
  const before = git("status", "--porcelain")
  expect(await list()).toEqual([])

  const first = await create("fix-login")
  const second = await create()

  expect(first).toMatchObject({ name: "fix-login", branch: "pawl/fix-login" })
  expect(first.directory.startsWith(join(root, "data", "worktrees"))).toBe(true)
  expect(second.name).toMatch(/^[a-z]+-[a-z]+$/)
  expect(await readdir(first.directory)).toEqual([".git", "a.txt"])
  expect(git("status", "--porcelain")).toBe(before)
  expect(await list()).toEqual([second.directory, first.directory])
  expect((await send("GET", "/project/current")).body).toMatchObject({ sandboxes: await list() })
  expect((await send("GET", "/project/current", undefined, first.directory)).body).toMatchObject({
    worktree: first.directory,
    sandboxes: [second.directory],
  })
  const session = (await send("POST", "/session", {}, first.directory)).body as { id: string; directory: string }
  expect(session.directory).toBe(first.directory)
  const parts = [{ type: "text", text: "Hi" }]
  expect((await send("POST", `/session/${session.id}/message`, { parts })).status).toBe(200)
  expect(opened).toEqual([project, first.directory])
})

it("begins at the root of the worktree, also for a directory that no commit has", async () => {
  const { project, create, send } = await served()
  await mkdir(join(project, "new"))
  const { directory } = await create("x", join(project, "new"))
  expect(await readdir(directory)).toEqual([".git", "a.txt"])
  expect((await send("GET", PATH, undefined, join(project, "new"))).body).toEqual([directory])
})

it("creates one worktree of a name that several requests want at once", async () => {
  const { send, list } = await served()
  const answers = await Promise.all([1, 2, 3].map(() => send("POST", PATH, { name: "same" })))
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400, 400])
  const refused = answers.filter(({ status }) => status === 400)
  expect(refused).toEqual(Array(2).fill(failed("WorktreeCreateFailedError", "The worktree same exists already:")))
  expect(await list()).toHaveLength(1)
})

it("takes names of all languages, and none that leads elsewhere", async () => {
  const { send, create, list, root } = await served()
  const { directory, name } = await create("u\u0308ber-日本")
  expect(name).toBe("über-日本".normalize("NFC"))
  expect(await list()).toEqual([directory])
  for (const bad of ["..", "../x", "a/b", "/etc", ".git", "-x", "a b", "x.lock", "a\0b", "x\u202ey", "a".repeat(61)]) {
    expect(await send("POST", PATH, { name: bad })).toEqual(
      failed("WorktreeCreateFailedError", "invalid name of a worktree"),
    )
  }
  expect(await list()).toEqual([directory])
  expect((await readdir(join(root, "data", "worktrees"))).length).toBe(1)
})

it("says that a directory is not in a git repository", async () => {
  const { project, root, send, remove, reset, list } = await served({ isPlain: true })
  expect(await list()).toEqual([])
  expect((await send("GET", "/project/current")).body).toMatchObject({ sandboxes: [] })
  const outside = failed("WorktreeNotGitError", "is not in a git repository")
  expect(await send("POST", PATH, { name: "x" })).toEqual(outside)
  for (const answer of [await remove(project), await reset(project)]) {
    expect(answer).toMatchObject({ status: 400, body: { name: "WorktreeNotGitError" } })
  }
  expect(await readdir(join(root, "data"))).not.toContain("worktrees")
})

it("removes no work, and says what to do about it", async () => {
  const { git, create, remove, reset, list } = await served()
  const { directory } = await create("x")
  await writeFile(join(directory, "new.txt"), "new\n")
  for (const [answer, name] of [
    [await remove(directory), "WorktreeRemoveFailedError"],
    [await reset(directory), "WorktreeResetFailedError"],
  ] as const) {
    expect(answer).toEqual(failed(name, "uncommitted changes: new.txt. Merge them: pawl worktree merge x."))
  }
  git("-C", directory, "add", "-A")
  git("-C", directory, "commit", "-qm", "Work")
  expect(await remove(directory)).toEqual(failed("WorktreeRemoveFailedError", "The commits of pawl/x are not merged."))
  expect(await reset(directory)).toEqual(failed("WorktreeResetFailedError", "The commits of pawl/x are not merged."))
  expect(await readFile(join(directory, "new.txt"), "utf8")).toBe("new\n")

  git("merge", "-q", "--no-ff", "--no-edit", "pawl/x")
  expect(await reset(directory)).toEqual({ status: 200, body: true })
  expect(git("-C", directory, "rev-parse", "HEAD")).toBe(git("rev-parse", "main"))
  expect(await remove(directory)).toEqual({ status: 200, body: true })
  await expect(stat(directory)).rejects.toThrow("ENOENT")
  expect(git("branch", "--format=%(refname:short)")).toBe("main")
  expect(await list()).toEqual([])
})

it("removes and resets only what pawl has created for the repository", async () => {
  const { root, project, git, create, remove, reset, send } = await served()
  const { directory } = await create("x")
  const [own, link, stranger] = [join(root, "own"), join(directory, "../link"), join(root, "stranger")]
  git("worktree", "add", "-q", "-b", "own", own)
  await symlink(own, link)
  await mkdir(stranger)
  git("-C", stranger, "init", "-q", "-b", "main")
  git("-C", stranger, "commit", "-q", "--allow-empty", "-m", "Begin")
  const foreign = await create("y", stranger)
  const paths = [project, own, link, stranger, foreign.directory, root, join(directory, ".."), "/"]
  for (const path of [...paths, join(directory, "../.records"), join(directory, ".git"), join(root, "missing")]) {
    expect(await remove(path)).toEqual(failed("WorktreeRemoveFailedError", "is not a worktree that pawl has created"))
    expect(await reset(path)).toEqual(failed("WorktreeResetFailedError", "is not a worktree that pawl has created"))
  }
  expect((await remove(directory, stranger)).status).toBe(400)
  for (const path of [project, own, stranger, foreign.directory, directory]) await stat(path)
  expect((await send("GET", PATH, undefined, stranger)).body).toEqual([foreign.directory])
})

it("removes the worktree in which the request is made, and one whose directory is gone, and opens new ones afresh", async () => {
  const { create, remove, send, opened, list, project } = await served()
  const { directory } = await create("x")
  expect((await send("GET", "/path", undefined, directory)).status).toBe(200)
  expect(await remove(directory, directory)).toEqual({ status: 200, body: true })
  expect((await send("GET", "/path", undefined, directory)).status).toBe(400)
  expect((await create("x")).directory).toBe(directory)
  expect((await send("GET", "/path", undefined, directory)).status).toBe(200)
  expect(opened).toEqual([project, directory, directory])
  await rm(directory, { recursive: true })
  expect(await list()).toEqual([])
  expect(await remove(directory)).toEqual({ status: 200, body: true })
})

it("neither removes nor resets a worktree while a session is at work in it", async () => {
  const { create, remove, reset, send } = await served({
    replies: [{ tool: "bash", input: { command: "touch new.txt", description: "Makes a file" } }, { text: "Done." }],
  })
  const { directory } = await create("x")
  const { id } = (await send("POST", "/session", {}, directory)).body as { id: string }
  await send("POST", `/session/${id}/prompt_async`, { parts: [{ type: "text", text: "Go" }] })
  const questions = async () => (await send("GET", "/permission", undefined, directory)).body
  await expect.poll(questions, { timeout: 30_000 }).toHaveLength(1)

  expect(await remove(directory)).toEqual(failed("WorktreeRemoveFailedError", `Session ${id} is at work`))
  expect(await reset(directory)).toEqual(failed("WorktreeResetFailedError", `POST /session/${id}/abort`))

  await send("POST", `/session/${id}/abort`)
  await expect.poll(async () => (await reset(directory)).status, { timeout: 30_000 }).toBe(200)
  expect((await remove(directory)).status).toBe(200)
  expect((await send("GET", `/session/${id}`)).status).toBe(200)
})

it("runs no filter that the repository's own configuration names", async () => {
  const { root, project, git, send, create, remove, reset } = await served()
  const [ran, more] = [join(root, "ran"), join(project, ".git/more")]
  await writeFile(join(project, ".gitattributes"), "*.txt filter=odd\n")
  git("add", "-A")
  git("commit", "-qm", "Filter")
  const { directory } = await create("before")
  await writeFile(join(directory, "a.txt"), "one\n")
  git("config", "include.path", "more")
  for (const kind of ["smudge", "clean"]) {
    git("config", "--file", more, `filter.odd.${kind}`, `sh -c 'echo ${kind} >> ${ran}; cat'`)
    const refusal = `names programs that git would run: filter.odd.${kind}. Use the command instead`
    expect(await send("POST", PATH, { name: "x" })).toEqual(failed("WorktreeCreateFailedError", refusal))
    expect(await remove(directory)).toEqual(failed("WorktreeRemoveFailedError", refusal))
    expect(await reset(directory)).toEqual(failed("WorktreeResetFailedError", refusal))
    git("config", "--file", more, "--unset", `filter.odd.${kind}`)
  }
  await expect(stat(ran)).rejects.toThrow("ENOENT")
  expect((await remove(directory)).status).toBe(200)
})

it("fetches nothing with a program that the repository names", async () => {
  const { root, project, git, send } = await served()
  const ran = join(root, "ran")
  const blob = git("rev-parse", "HEAD:a.txt")
  for (const [name, value] of [
    ["core.repositoryFormatVersion", "1"],
    ["extensions.partialClone", "origin"],
    ["remote.origin.promisor", "true"],
    ["remote.origin.url", `ext::touch ${ran}`],
    ["protocol.ext.allow", "always"],
  ] as const) {
    git("config", name, value)
  }
  await rm(join(project, ".git/objects", blob.slice(0, 2), blob.slice(2)))
  expect(await send("POST", PATH, { name: "x" })).toEqual(failed("WorktreeCreateFailedError", "git worktree failed:"))
  await expect(stat(ran)).rejects.toThrow("ENOENT")
})
