import { access, readFile, symlink, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import type { MessageWithParts, Part, Session, SessionID } from "@pawl/core"
import { call, modelServer, reply, text } from "@pawl/model-server"
import { sqliteStorage } from "@pawl/storage-sqlite"
import { describe, expect, it } from "vitest"
import { type Desk, desk } from "./in-process.ts"
import { jsonLines } from "./workplace.ts"

const CONFIGURATION = {
  permission: { bash: "ask" },
  agent: { yolo: { mode: "primary", permission: "allow" }, careful: { mode: "primary", permission: { edit: "deny" } } },
}

interface Document {
  sessions: { session: Session; messages: MessageWithParts[] }[]
}

/** A document that somebody made of an exported session, and the session's id. */
async function made(place: Desk, change: (session: Session, answer: MessageWithParts) => object) {
  const id = await place.talk("one")
  await place.pawl("session", "export", id, "-o", "session.json")
  await place.pawl("session", "remove", "--yes", id)
  const file = join(place.project, "session.json")
  const document = JSON.parse(await readFile(file, "utf8")) as Document
  const [entry] = document.sessions
  const answer = entry?.messages.at(-1)
  if (!entry || !answer) throw new Error("The session has an answer.")
  const model = { providerID: "custom", modelID: "test" }
  for (const { info } of entry.messages) Object.assign(info, info.role === "user" ? { model } : model)
  Object.assign(entry.session, { model }, change(entry.session, answer))
  await writeFile(file, JSON.stringify(document))
  await writeFile(join(place.configuration, "pawl.jsonc"), JSON.stringify(CONFIGURATION))
  return id
}

const isThere = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  )

describe("a session of somebody else's document", () => {
  const command = "touch made-by-the-document"
  const approvals = [{ agent: "build", permission: "bash", pattern: command, time: { created: 1 } }]
  const rule = (action: string) => ({ permission: "bash", pattern: "*", action })

  /** A call that had been allowed and had not run. */
  function open(session: Session, answer: MessageWithParts): void {
    const owner = { sessionID: session.id, messageID: answer.info.id }
    const about = { type: "permission", permission: "bash", patterns: [command], always: [command], metadata: {} }
    const state = { status: "pending", input: { command, description: "x" }, raw: JSON.stringify({ command }) }
    const parts = [
      { ...owner, id: "prt_zz1", type: "tool", callID: "call_1", tool: "bash", state },
      {
        ...{ ...owner, id: "prt_zz2", type: "question", callID: "call_1", about, time: { created: 1, closed: 2 } },
        answer: { type: "permission", reply: "once" },
      },
    ]
    ;(answer.parts as Part[]).push(...(parts as unknown as Part[]))
    Object.assign(answer.info, { finish: undefined, time: { created: 1 } })
  }

  it("brings nothing along that would be allowed or done, and what was left out is listed", async () => {
    const place = await desk()
    const id = await made(place, (session, answer) => {
      open(session, answer)
      return { approvals, permission: [rule("allow"), { ...rule("deny"), pattern: "rm *" }], agent: "yolo" }
    })
    const imported = await place.pawl("session", "import", "session.json")

    expect(imported).toMatchObject({ code: 0, stdout: `${id}  added\n` })
    expect(imported.stderr).toContain(`${id}: left out 1 answer of always: bash "${command}" (build)\n`)
    expect(imported.stderr).toContain(`${id}: left out 1 rule that allows: bash "*"\n`)
    expect(imported.stderr).toContain(`${id}: left out 1 agent: yolo, in its place build\n`)
    expect(imported.stderr).toContain(`${id}: left out 1 unfinished call: bash\n`)

    await using server = await modelServer({ replies: [reply(call("bash", { command })), reply(text("Well."))] })
    const resumed = await place.pawl("run", "-s", id, "--base-url", server.url)
    const why = await place.pawl("permissions", "why", "bash", command, "-s", id)
    const denied = await place.pawl("permissions", "why", "bash", "rm x", "-s", id)

    expect(resumed.code).toBe(3)
    expect(await isThere(join(place.project, "made-by-the-document"))).toBe(false)
    expect(why.stdout).toMatch(/^ask: bash, called by the agent build\n/)
    expect(denied.stdout).toContain('→ deny bash "rm *" · session\n')
  })

  it("says in JSON what was left out, and nothing where nothing was", async () => {
    const place = await desk()
    const id = await made(place, () => ({ permission: [rule("allow")] }))
    const dropped = [{ kind: "rule", what: 'bash "*"' }]
    const first = await place.pawl("session", "import", "session.json", "--format", "json")
    const again = await place.pawl("session", "import", "session.json", "--format", "json")

    expect(jsonLines(first.stdout)).toEqual([
      { sessionID: id, outcome: "added", dropped: expect.arrayContaining(dropped) as unknown },
    ])
    expect(jsonLines(again.stdout)).toEqual([{ sessionID: id, outcome: "unchanged" }])
    expect(again.stderr).not.toContain("left out")
  })

  it.each([
    ["careful", "careful", false],
    ["plan", "plan", false],
    ["yolo", "build", true],
    ["nobody", "build", true],
  ])("with the agent %s goes on as %s", async (agent, kept, isTold) => {
    const place = await desk()
    const id = await made(place, () => ({ agent }))
    const { stderr } = await place.pawl("session", "import", "session.json")
    const { stdout } = await place.pawl("session", "export", id)

    expect((JSON.parse(stdout) as Document).sessions[0]?.session.agent).toBe(kept)
    expect(stderr.includes("left out 1 agent")).toBe(isTold)
  })

  it("does not have it work in a directory that holds the home directory", async () => {
    const place = await desk()
    const home = dirname(place.project)
    await symlink("/", join(place.data, "..", "link"))
    for (const directory of ["/", home, dirname(home), join(home, "link"), "..", ""]) {
      await made(place, () => ({ directory }))
      const { stderr } = await place.pawl("session", "import", "session.json")
      expect(stderr).toContain(`left out 1 directory: ${directory}, in its place ${place.project}\n`)
      await place.pawl("session", "remove", "--yes", String((await place.sessions())[0]?.["id"]))
    }
    await made(place, () => ({ directory: place.data }))
    const { stderr } = await place.pawl("session", "import", "session.json")
    expect(stderr).toContain(
      `The document has sessions work in ${place.data}. Elsewhere: --map ${place.data}=<directory>\n`,
    )
  })

  it("which was removed here comes back from the trash with all that it had", async () => {
    const place = await desk()
    const id = await place.talk("one")
    const storage = await sqliteStorage({ path: join(place.data, "pawl.db") })
    const changes = { approvals, permission: [{ ...rule("allow"), action: "allow" as const }], agent: "yolo" }
    await storage.commit(id as SessionID, [{ type: "session.patch", changes }])
    await storage.close()

    await place.pawl("session", "remove", "--yes", id)
    const restored = await place.pawl("session", "restore", id)
    const { stdout } = await place.pawl("session", "export", id)

    expect(restored.code).toBe(0)
    expect((JSON.parse(stdout) as Document).sessions[0]?.session).toMatchObject(changes)
  })
})
