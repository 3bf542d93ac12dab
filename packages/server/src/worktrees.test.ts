import { symlink } from "node:fs/promises"
import { join } from "node:path"
import { createGuardian } from "@pawl/process-guard"
import { expect, it, onTestFinished } from "vitest"
import { allowed } from "../test/terminals.ts"
import { serving } from "../test/serving.ts"
import { createServer, createServerApp, createServerEvents, type ServerHost, type ServerWorktrees } from "./index.ts"

const PATH = "/experimental/worktree"
const refusal = { refusal: "It has uncommitted changes.", isOutsideGit: false }

/** Worktrees that exist in a list only, with what was requested of them. */
function listed(changes: Partial<ServerWorktrees> = {}) {
  const requests: string[] = []
  const worktrees: ServerWorktrees = {
    list: async () => ["/worktrees/b", "/worktrees/a"],
    async create(name = "calm-otter") {
      requests.push(`create ${name}`)
      return { name, branch: `pawl/${name}`, path: `/worktrees/${name}` }
    },
    async remove(path) {
      requests.push(`remove ${path}`)
      return undefined
    },
    async reset(path) {
      requests.push(`reset ${path}`)
      return undefined
    },
    ...changes,
  }
  return { requests, worktrees }
}

async function served(host: Partial<ServerHost>) {
  const serve = await serving({ host })
  onTestFinished(() => serve[Symbol.asyncDispose]())
  const send = async (method: string, path: string, body?: unknown) => {
    const answer = await serve.app.request(path, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { status: answer.status, body: await answer.json() }
  }
  return { ...serve, send }
}

it("lists worktrees, and as sandboxes and directories of the project", async () => {
  const { worktrees } = listed()
  const { send, directory } = await served({ worktrees })
  const all = ["/worktrees/b", "/worktrees/a"]
  expect((await send("GET", PATH)).body).toEqual(all)
  expect((await send("GET", "/project")).body).toMatchObject([{ worktree: directory, sandboxes: all }])
  expect((await send("GET", "/project/current")).body).toMatchObject({ sandboxes: all })
  expect((await send("GET", "/project/project-1/directories")).body).toEqual(
    [directory, ...all].map((each) => ({ directory: each })),
  )
  const inside = await served({ worktrees, worktree: "/worktrees/b" })
  expect((await inside.send("GET", "/project/current")).body).toMatchObject({ sandboxes: ["/worktrees/a"] })
})

it("has no worktrees without those of its host", async () => {
  const { send } = await served({})
  expect((await send("GET", "/project/current")).body).toMatchObject({ sandboxes: [] })
  for (const [method, path] of [
    ["GET", PATH],
    ["POST", PATH],
    ["POST", `${PATH}/reset`],
    ["DELETE", PATH],
  ] as const) {
    const body = method === "GET" ? undefined : { directory: "/worktrees/a" }
    expect(await send(method, path, body)).toMatchObject({
      status: 404,
      body: { data: { message: expect.stringContaining("has no worktrees here") } },
    })
  }
})

it("creates a worktree, and reports it among the events of its directory", async () => {
  const { worktrees, requests } = listed()
  const { host, engine } = await served({ worktrees })
  const events = createServerEvents(engine, host)
  onTestFinished(() => events.close())
  const reported: object[] = []
  events.log.subscribe(
    ({ directory, event: { type, properties } }) => void reported.push({ directory, type, properties }),
  )
  const app = createServerApp(host, events)
  const create = async (body?: string) =>
    (await app.request(PATH, { method: "POST", ...(body ? { body } : {}) })).json()

  const made = { name: "fix", branch: "pawl/fix", directory: "/worktrees/fix" }
  expect(await create('{"name":" fix ","startCommand":" "}')).toEqual(made)
  expect(reported).toEqual([
    { directory: "/worktrees/fix", type: "worktree.ready", properties: { name: "fix", branch: "pawl/fix" } },
  ])
  for (const body of [undefined, "{}", '{"name":""}', '{"name":null}']) {
    expect(await create(body)).toMatchObject({ name: "calm-otter" })
  }
  expect(requests).toEqual(["create fix", ...Array<string>(4).fill("create calm-otter")])
})

it("creates nothing if it should run a command in it", async () => {
  const { worktrees, requests } = listed()
  const { send } = await served({ worktrees })
  expect(await send("POST", PATH, { name: "fix", startCommand: "npm install" })).toMatchObject({
    status: 400,
    body: {
      name: "WorktreeStartCommandFailedError",
      data: { message: expect.stringContaining("/session/{id}/shell") },
    },
  })
  expect(requests).toEqual([])
})

it("removes and resets, and passes refusals on with OpenCode's names", async () => {
  const { worktrees, requests } = listed()
  const { send } = await served({ worktrees })
  const body = { directory: "/worktrees/a" }
  expect(await send("POST", `${PATH}/reset`, body)).toEqual({ status: 200, body: true })
  expect(await send("DELETE", PATH, body)).toEqual({ status: 200, body: true })
  expect(requests).toEqual(["reset /worktrees/a", "remove /worktrees/a"])

  const refuse = async () => refusal
  const refusing = await served({ worktrees: { ...worktrees, create: refuse, remove: refuse, reset: refuse } })
  const message = refusal.refusal
  const failed = (name: string) => ({ status: 400, body: { name, data: { message } } })
  expect(await refusing.send("POST", PATH, {})).toEqual(failed("WorktreeCreateFailedError"))
  expect(await refusing.send("DELETE", PATH, body)).toEqual(failed("WorktreeRemoveFailedError"))
  expect(await refusing.send("POST", `${PATH}/reset`, body)).toEqual(failed("WorktreeResetFailedError"))
  const outside = await served({
    worktrees: { ...worktrees, create: async () => ({ ...refusal, isOutsideGit: true }) },
  })
  expect(await outside.send("POST", PATH, {})).toEqual(failed("WorktreeNotGitError"))
})

it("takes only absolute paths of directories, and short names", async () => {
  const { worktrees, requests } = listed()
  const { send } = await served({ worktrees })
  for (const directory of [undefined, "", "a", "../a", "/a\0b", `/${"a".repeat(4096)}`, 1]) {
    expect(await send("DELETE", PATH, { directory })).toMatchObject({ status: 400, body: { name: "BadRequest" } })
    expect(await send("POST", `${PATH}/reset`, { directory })).toMatchObject({ status: 400 })
  }
  for (const body of [{ name: "a".repeat(201) }, { name: 1 }, { startCommand: {} }, []]) {
    expect(await send("POST", PATH, body)).toMatchObject({ status: 400, body: { name: "BadRequest" } })
  }
  expect(requests).toEqual([])
})

it("does not remove a worktree with an open terminal, and closes one that was removed", async () => {
  const { worktrees, requests } = listed()
  const guardian = createGuardian()
  onTestFinished(() => guardian.close())
  const terminals = { guardian, environment: () => ({ PATH: process.env["PATH"] ?? "" }), shell: "/bin/sh" }
  const [main, beside] = [await served({ worktrees }), await served({ terminals, permission: () => allowed })]
  const closed: string[] = []
  const server = createServer({
    directory: main.directory,
    version: "9.9.9",
    open: async (directory) => ({
      host: directory === main.directory ? main.host : beside.host,
      close: async () => void closed.push(directory),
    }),
  })
  onTestFinished(() => server.close())
  const send = async (method: string, path: string, body: object) => {
    const answer = await server.fetch(new Request(`http://a${path}`, { method, body: JSON.stringify(body) }))
    return { status: answer.status, body: (await answer.json()) as { id?: string } }
  }
  const query = `?directory=${encodeURIComponent(beside.directory)}`
  const { id } = (await send("POST", `/pty${query}`, { command: "cat" })).body
  const link = join(main.directory, "link")
  await symlink(beside.directory, link)
  const remove = () => send("DELETE", PATH, { directory: link })

  expect(await remove()).toMatchObject({
    status: 400,
    body: { data: { message: expect.stringContaining("DELETE /pty/") } },
  })
  expect([requests, closed]).toEqual([[], []])
  await send("DELETE", `/pty/${id}${query}`, {})
  expect((await remove()).status).toBe(200)
  expect(requests).toHaveLength(1)
  expect(closed).toEqual([beside.directory])
})
