import { existsSync } from "node:fs"
import { mkdir, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { modelServer, reply, text } from "@pawl/model-server"
import { expect, it, onTestFinished } from "vitest"
import { openRuntime } from "../src/index.ts"
import { runtimeHost } from "./runtime-host.ts"
import { temporaryDirectory } from "./temporary-directory.ts"

/** Makes a project whose configuration names a scripted server, as a user of `pawl` would write it. */
async function project(replies: Parameters<typeof modelServer>[0]["replies"]) {
  const server = await modelServer({ replies })
  onTestFinished(() => server.close())
  const root = await temporaryDirectory()
  const directory = join(root, "project")
  const settings = join(root, "config")
  for (const each of [directory, settings]) await mkdir(each)
  const config = {
    model: "local/scripted",
    provider: { local: { options: { baseURL: server.url, apiKey: "a-key-of-a-test" }, models: { scripted: {} } } },
  }
  await writeFile(join(settings, "pawl.jsonc"), JSON.stringify(config))
  const host = runtimeHost({
    directory,
    home: root,
    environment: { PAWL_DATA_DIR: join(root, "data"), PAWL_CONFIG_DIR: settings, PATH: process.env["PATH"] },
  })
  return { directory, host, server }
}

it("gives a program with one call the engine that pawl opens for a directory", async () => {
  const { directory, host, server } = await project([reply(text("Hello."))])
  await writeFile(join(directory, "AGENTS.md"), "Answer in one word.")

  await using runtime = await openRuntime({ directory, host, prompt: { text: "Say hello" } })
  const session = await runtime.engine.createSession({ directory, title: "Greeting" })
  const result = await runtime.engine.prompt(runtime.promptInput(session.id))

  expect(result.type).toBe("answered")
  expect(runtime.storage.location).toContain("data")
  const [request] = server.requests
  expect(request?.headers.authorization).toBe("Bearer a-key-of-a-test")
  expect(JSON.stringify(request?.body)).toContain("Answer in one word.")
  expect(JSON.stringify(request?.body)).toContain('"name":"bash"')
})

it("runs the commands of the project's files, and continues the session that it finds", async () => {
  const { directory, host, server } = await project([reply(text("Reviewed.")), reply(text("Once more."))])
  await mkdir(join(host.environment["PAWL_CONFIG_DIR"] ?? "", "command"))
  await writeFile(join(host.environment["PAWL_CONFIG_DIR"] ?? "", "command/look.md"), "Look at $ARGUMENTS closely.")
  const first = await openRuntime({ directory, host, prompt: { text: "/look a.ts", typed: "/look a.ts" } })
  const { id } = await first.engine.createSession({ directory, title: "Looking" })
  await first.engine.prompt(first.promptInput(id))
  await first.close()

  await using second = await openRuntime({ directory, host, session: { type: "newest" }, prompt: { text: "Again" } })
  await second.engine.prompt(second.promptInput(second.session?.id ?? id))

  expect(second.session?.id).toBe(id)
  const body = JSON.stringify(server.requests.at(-1)?.body)
  expect(body).toContain("Look at a.ts closely.")
  expect(body).toContain("Again")
})

it("rejects without a stored session if the model does not exist, and closes what it opened", async () => {
  const { directory, host } = await project([])

  const opening = openRuntime({ directory, host, prompt: { text: "hi" }, model: { model: "nowhere/none" } })
  await expect(opening).rejects.toThrow("nowhere")

  await using again = await openRuntime({ directory, host })
  const sessions: unknown[] = []
  for await (const session of again.storage.listSessions()) sessions.push(session)
  expect(sessions).toEqual([])
})

it("continues no session in a storage file that does not exist, and does not create it", async () => {
  const { directory, host } = await project([])
  const file = join(directory, "typo.db")

  const opening = openRuntime({ directory, host, session: { type: "newest" }, storage: `sqlite:${file}` })

  await expect(opening).rejects.toThrow(`there is nothing at ${file}`)
  expect(existsSync(file)).toBe(false)
})

it("reports about a session whose directory is gone and whose model cannot be used", async () => {
  const { directory, host } = await project([])
  const gone = join(directory, "gone")
  await mkdir(gone)
  const first = await openRuntime({ directory: gone, host })
  const { id } = await first.engine.createSession({ directory: gone })
  await first.close()
  await rm(gone, { recursive: true })
  const request = { directory, host, session: { type: "id", id }, model: { model: "nowhere/none" } } as const

  await expect(openRuntime(request)).rejects.toThrow(`There is no directory ${gone}`)
  await using runtime = await openRuntime({ ...request, isReport: true })
  const report = await runtime.engine.context(id, { model: runtime.model })

  expect(runtime.problem).toContain("nowhere")
  expect(report.model).toEqual({ providerID: "nowhere", modelID: "none" })
})
