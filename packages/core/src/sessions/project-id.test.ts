import { execFile } from "node:child_process"
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { finish, scriptedModel, text } from "@pawl/provider-replay"
import { describe, expect, it } from "vitest"
import { testEngine } from "../../test/engine-fixture.ts"
import { storages, temporaryDirectory } from "../../test/storages.ts"
import type { Storage } from "../storage.ts"

const environment = {
  PATH: process.env["PATH"] ?? "",
  GIT_CONFIG_GLOBAL: "/dev/null",
  ...{ GIT_AUTHOR_NAME: "a", GIT_AUTHOR_EMAIL: "a@b", GIT_COMMITTER_NAME: "a", GIT_COMMITTER_EMAIL: "a@b" },
}

async function git(directory: string, ...words: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)("git", words, { cwd: directory, env: environment })
  return stdout.trim()
}

async function repository(...commits: string[]): Promise<string> {
  const directory = await temporaryDirectory()
  await git(directory, "init", "-q", "-b", "main")
  for (const message of commits) await git(directory, "commit", "-q", "--allow-empty", "-m", message)
  return directory
}

describe.each(storages)("the project of a session over $name", ({ open }) => {
  const model = () =>
    scriptedModel([
      [text("Hi"), finish("stop")],
      [text("Hi"), finish("stop")],
    ])

  async function projectStored(storage: Storage, sessionID: `ses_${string}`): Promise<string> {
    for await (const _ of storage.watch({ sessionID }, AbortSignal.timeout(100_000))) {
      const session = await storage.getSession(sessionID)
      if (session && session.projectID !== "global") return session.projectID
    }
    return "global"
  }

  it("is stored during the first run, after its request has left, and known to sessions made later", async () => {
    const storage = await open()
    const directory = await repository("one")
    await mkdir(join(directory, "deep"))
    await using test = await testEngine({ model: model(), storage, environment })
    const { engine } = test
    const session = await engine.createSession({ directory: join(directory, "deep") })
    const stored = projectStored(storage, session.id)

    await engine.prompt({ sessionID: session.id, parts: [{ type: "text", text: "Hi" }] })

    const root = await git(directory, "rev-list", "--max-parents=0", "HEAD")
    expect(session.projectID).toBe("global")
    expect(await stored).toBe(root)
    expect((await engine.createSession({ directory: join(directory, "deep") })).projectID).toBe(root)
    const updates = test.events.flatMap((event) => (event.type === "session.updated" ? [event.properties.info] : []))
    expect(updates.filter(({ projectID }) => projectID === root).length).toBeGreaterThan(0)
    const told = test.events.findIndex(({ type, properties }) => {
      return (
        type === "session.updated" &&
        "info" in properties &&
        "projectID" in properties.info &&
        properties.info.projectID === root
      )
    })
    const asked = test.events.findIndex(({ type }) => type === "message.part.updated")
    expect(told).toBeGreaterThan(asked)
  })

  it("is left alone by a closing engine and where git hangs", async () => {
    const storage = await open()
    const directory = await repository("one")
    const bin = await temporaryDirectory()
    await writeFile(join(bin, "git"), "#!/bin/sh\nexec sleep 60\n", { mode: 0o755 })
    const slow = { ...environment, PATH: `${bin}:${environment.PATH}` }
    const test = await testEngine({ model: model(), storage, environment: slow })
    const session = await test.engine.createSession({ directory })
    await test.engine.prompt({ sessionID: session.id, parts: [{ type: "text", text: "Hi" }] })

    await test[Symbol.asyncDispose]()

    expect((await storage.getSession(session.id))?.projectID).toBe("global")
  })
})
