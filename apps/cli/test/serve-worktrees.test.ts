import { execFileSync } from "node:child_process"
import { access, mkdir, readFile, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { createOpencodeClient } from "@opencode-ai/sdk/v2"
import { expect, it, onTestFinished } from "vitest"
import { workplace } from "./workplace.ts"

const IDENTITY = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"]
const AUTHOR = {
  ...{ GIT_AUTHOR_NAME: "Ada", GIT_AUTHOR_EMAIL: "ada@example.org" },
  ...{ GIT_COMMITTER_NAME: "Ada", GIT_COMMITTER_EMAIL: "ada@example.org" },
}

/** `pawl serve` in a repository with a plugin that leaves a mark, and a client of OpenCode for it. */
async function served({ isTrusted }: { readonly isTrusted: boolean }) {
  const place = await workplace()
  const { project } = place
  const mark = join(place.data, "mark")
  await mkdir(join(project, ".pawl", "plugin"), { recursive: true })
  await writeFile(
    join(project, ".pawl", "plugin", "mark.js"),
    `import { writeFileSync } from "node:fs"\nexport default async () => (writeFileSync(${JSON.stringify(mark)}, ""), {})\n`,
  )
  const git = (...args: readonly string[]) =>
    execFileSync("git", ["-C", project, ...IDENTITY, ...args], { stdio: "pipe" })
  git("init", "-q", "-b", "main")
  git("add", "-A")
  git("commit", "-qm", "Begin")
  if (isTrusted) expect((await place.pawl(["trust", "--yes"])).code).toBe(0)
  const { child, said } = place.start(["serve", "-m", "replay/hello"])
  onTestFinished(() => void child.kill("SIGKILL"))
  let shown = ""
  child.stderr?.on("data", (chunk: string) => (shown += chunk))
  await said("oken")
  const token = (await readFile(join(place.data, "serve-token"), "utf8")).trim()
  const headers = { authorization: `Bearer ${token}` }
  const client = createOpencodeClient({ baseUrl: /http:[^\s"]+/.exec(shown)?.[0] ?? "", directory: project, headers })
  const wasMarked = () =>
    access(mark).then(
      () => true,
      () => false,
    )
  return { ...place, client, mark, wasMarked, shown: () => shown }
}

it("creates a worktree for OpenCode's SDK, trusts it like its origin, and removes it", async () => {
  const { client, pawl, mark, wasMarked, project } = await served({ isTrusted: true })
  const controller = new AbortController()
  onTestFinished(() => controller.abort())
  const { stream } = await client.global.event({ signal: controller.signal })
  expect((await stream.next()).value).toMatchObject({ payload: { type: "server.connected" } })

  const { data: created } = await client.worktree.create({ worktreeCreateInput: { name: "fix" } })

  const directory = created?.directory ?? ""
  expect(created).toEqual({ name: "fix", branch: "pawl/fix", directory })
  for await (const { directory: of, payload } of stream) {
    if (payload.type !== "worktree.ready") continue
    expect([of, payload.properties]).toEqual([directory, { name: "fix", branch: "pawl/fix" }])
    break
  }
  expect((await client.worktree.list()).data).toEqual([directory])
  expect((await client.project.current()).data?.sandboxes).toEqual([directory])
  expect((await pawl(["worktree", "list", "--json"])).stdout).toContain(JSON.stringify(directory))

  await rm(mark, { force: true })
  const { data: session } = await client.session.create({ directory })
  const prompt = { sessionID: session?.id ?? "", directory, parts: [{ type: "text" as const, text: "Hi" }] }
  expect(JSON.stringify((await client.session.prompt(prompt)).data?.parts)).toContain("Hello!")
  expect([session?.directory, await wasMarked()]).toEqual([directory, true])

  await writeFile(join(directory, "new.txt"), "new\n")
  const worktreeRemoveInput = { directory }
  const kept = await client.worktree.remove({ worktreeRemoveInput })
  expect(kept.error).toMatchObject({ name: "WorktreeRemoveFailedError" })
  expect((await pawl(["worktree", "merge", "fix"], { environment: AUTHOR })).code).toBe(0)
  expect(await readFile(join(project, "new.txt"), "utf8")).toBe("new\n")
  expect((await client.worktree.reset({ worktreeResetInput: { directory } })).data).toBe(true)
  expect((await client.worktree.remove({ worktreeRemoveInput })).data).toBe(true)
  expect((await client.worktree.list()).data).toEqual([])
})

it("runs nothing of a worktree whose origin is not trusted", async () => {
  const { client, wasMarked, shown } = await served({ isTrusted: false })
  const { data: created } = await client.worktree.create()
  const directory = created?.directory ?? ""
  expect((await client.path.get({ directory })).data).toMatchObject({ directory })
  expect(await wasMarked()).toBe(false)
  expect(shown()).toContain(`${directory}: `)
})
