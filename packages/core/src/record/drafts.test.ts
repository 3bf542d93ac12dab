import { memoryStorage } from "@pawl/storage-memory"
import { describe, expect, it } from "vitest"
import { answeringModel } from "../../test/answering-model.ts"
import { testEngine } from "../../test/engine-fixture.ts"
import { said } from "../../test/streaming-model.ts"
import type { Plugin } from "../plugin.ts"
import type { SessionID } from "../base/ids.ts"
import type { Storage, Write } from "../contracts/storage.ts"
import { collected } from "../base/collected.ts"
import { keepDraft } from "./drafts.ts"
import type { Session } from "./message.ts"

const hello = [{ type: "text", text: "Hello" }] as const

/** The storage with the writes of each commit. */
function logged(): { storage: Storage; commits: (readonly Write[])[] } {
  const inner = memoryStorage()
  const commits: (readonly Write[])[] = []
  const storage: Storage = {
    ...inner,
    async commit(id, writes, lease) {
      const revision = await inner.commit(id, writes, lease)
      commits.push(writes)
      return revision
    },
  }
  return { storage, commits }
}

async function scene(plugin?: Plugin) {
  const { storage, commits } = logged()
  const plugins = plugin ? [{ id: "test", plugin }] : []
  const session = { directory: "/srv" } as Session
  const model = answeringModel(() => said("Hi."))
  const test = await testEngine({ model, storage, plugins, session })
  return { ...test, commits, draft: test.engine.draftSession({ directory: "/srv", title: "Mine" }) }
}

describe("a draft of a session", () => {
  it("is stored in one commit with its first prompt", async () => {
    const { engine, storage, commits, draft, events } = await scene()
    expect(await collected(storage.listSessions())).toEqual([])

    expect(await engine.prompt({ sessionID: draft.id, parts: hello })).toMatchObject({ type: "answered" })

    expect(commits[0]?.map(({ type }) => type)).toEqual(["session.put", "message.put", "part.put", "session.patch"])
    expect(commits).toHaveLength(3)
    expect(events.filter(({ type }) => type === "session.created")).toHaveLength(1)
    expect(await storage.getSession(draft.id)).toMatchObject({ title: "Mine" })
    await engine.close()
  })

  it("is stored without a run as well", async () => {
    const { engine, commits, draft } = await scene()
    await engine.prompt({ sessionID: draft.id, parts: hello, noReply: true })
    expect(commits.map((writes) => writes[0]?.type)).toEqual(["session.put"])
    await engine.close()
  })

  it("leaves nothing if its prompt is refused, and takes another prompt", async () => {
    const { engine, storage, draft } = await scene()
    await expect(engine.prompt({ sessionID: draft.id, parts: hello, agent: "nobody" })).rejects.toThrow("nobody")
    expect(await collected(storage.listSessions())).toEqual([])
    expect(await engine.prompt({ sessionID: draft.id, parts: hello })).toMatchObject({ type: "answered" })
    await engine.close()
  })

  it("can be read, changed and prompted by the hooks of its first prompt", async () => {
    let isFirst = true
    const { engine, storage, commits, draft } = await scene(async ({ engine }) => ({
      "chat.message": async ({ sessionID }) => {
        if (!isFirst) return
        isFirst = false
        expect(await engine.getSession(sessionID)).toMatchObject({ directory: "/srv" })
        await engine.updateSession(sessionID, { metadata: { by: "a hook" } })
        await engine.prompt({
          sessionID: sessionID,
          parts: [{ type: "text", text: "Note" }],
          noReply: true,
        })
      },
    }))

    await engine.prompt({ sessionID: draft.id, parts: hello })

    expect(await storage.getSession(draft.id)).toMatchObject({ metadata: { by: "a hook" } })
    expect(commits.flat().filter(({ type }) => type === "session.put")).toHaveLength(1)
    const messages = await collected(storage.readMessages(draft.id))
    expect(messages.filter(({ info }) => info.role === "user")).toHaveLength(2)
    await engine.close()
  })

  it("is dropped when many follow that are never prompted", () => {
    const drafts = new Map<SessionID, Session>()
    for (let at = 0; at < 1_500; at++) keepDraft(drafts, { id: `ses_${at}` } as Session)
    expect(drafts.size).toBe(1_000)
    expect(drafts.has("ses_1499")).toBe(true)
  })
})
