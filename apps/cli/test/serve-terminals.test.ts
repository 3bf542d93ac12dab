import { spawnSync } from "node:child_process"
import { mkdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { expect, it, onTestFinished } from "vitest"
import { workplace } from "./workplace.ts"

const allowed = JSON.stringify({ permission: { bash: "allow" } })

const refused = {
  status: 403,
  value: { name: "Forbidden", data: { message: expect.stringMatching(/ is not opened: .+ Set "/) } },
}

async function served(files: { readonly user?: string; readonly project?: string }) {
  const place = await workplace()
  await mkdir(place.configuration, { recursive: true })
  if (files.user !== undefined) await writeFile(join(place.configuration, "pawl.json"), files.user)
  if (files.project !== undefined) await writeFile(join(place.project, "pawl.json"), files.project)
  const environment = { ANTHROPIC_API_KEY: "the-key", OTHER_SECRET: "the-secret", SHELL: "/bin/sh" }
  const { child, said } = place.start(["serve", "-m", "replay/hello"], { environment })
  onTestFinished(() => void child.kill("SIGKILL"))
  let shown = ""
  child.stderr?.on("data", (chunk: string) => (shown += chunk))
  await said("oken")
  const url = /http:[^\s"]+/.exec(shown)?.[0] ?? ""
  const token = (await readFile(join(place.data, "serve-token"), "utf8")).trim()
  const post = async (path: string) => {
    const response = await fetch(`${url}${path}`, { method: "POST", headers: { authorization: `Bearer ${token}` } })
    return { status: response.status, value: (await response.json()) as { id: string; pid: number; ticket: string } }
  }
  return { child, url, post }
}

it.runIf(process.platform !== "win32")(
  "opens a terminal without secrets, which ends when the server is killed",
  async () => {
    const { child, url, post } = await served({ user: allowed })
    const { value: terminal } = await post("/pty")
    const { value } = await post(`/pty/${terminal.id}/connect-token`)
    const socket = new WebSocket(`${url.replace("http", "ws")}/pty/${terminal.id}/connect?ticket=${value.ticket}`)
    socket.binaryType = "arraybuffer"
    let shown = ""
    socket.addEventListener("message", ({ data }: { data: unknown }) => {
      if (typeof data === "string") shown += data
    })
    await new Promise((resolve) => socket.addEventListener("open", resolve))
    socket.send("env; (trap '' HUP TERM; sleep 300) & echo back''ground-$!-\n")
    await expect.poll(() => /background-(\d+)-/.exec(shown)?.[1], { timeout: 20_000 }).toBeDefined()
    expect(shown).toContain("TERM=xterm-256color")
    expect(shown).not.toMatch(/the-key|the-secret/)
    const background = Number(/background-(\d+)-/.exec(shown)?.[1])
    expect([isAlive(terminal.pid), isAlive(background)]).toEqual([true, true])

    child.kill("SIGKILL")

    await expect.poll(() => [isAlive(terminal.pid), isAlive(background)], { timeout: 20_000 }).toEqual([false, false])
  },
)

it.each([
  ["by the defaults", {}],
  ["by a project's configuration", { project: allowed }],
  [
    "by a project's configuration, over a rule of the user",
    { project: allowed, user: '{"permission":{"bash":"ask"}}' },
  ],
  ["that a project denies", { project: '{"permission":{"bash":"deny"}}', user: allowed }],
])("opens no shell %s", async (_what, files) => {
  expect(await (await served(files)).post("/pty")).toMatchObject(refused)
})

it.skipIf(spawnSync("bwrap", ["--version"]).status !== 0)("opens no shell in a sandbox", async () => {
  const { post } = await served({ user: '{"permission":{"bash":"allow"},"sandbox":"bwrap"}' })
  expect(await post("/pty")).toMatchObject(refused)
})

function isAlive(pid: number): boolean {
  const state = spawnSync("ps", ["-o", "stat=", "-p", String(pid)])
    .stdout.toString()
    .trim()
  return state !== "" && !state.startsWith("Z")
}
