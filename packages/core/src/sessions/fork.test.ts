import { scriptedModel, finish, text } from "@pawl/provider-replay"
import { describe, expect, it } from "vitest"
import { conversation, said } from "../../test/conversation.ts"
import { testEngine } from "../../test/engine-fixture.ts"
import { storages } from "../../test/storages.ts"
import { createIDSource, type EngineEvent, type EngineOptions, type MessageWithParts, type Session } from "../index.ts"
import type { Storage } from "../storage.ts"
import type { PermissionRule } from "../record.ts"
import { collected } from "../base/collected.ts"

const rule = (permission: string, action: PermissionRule["action"]): PermissionRule => ({
  ...{ permission, pattern: "*", action },
})

describe.each(storages)("a fork over $name", ({ open }) => {
  /** An engine with one session to talk in. */
  async function scene(
    storage: Storage,
    model = scriptedModel([]),
    more: Pick<Partial<EngineOptions>, "agents" | "permission"> = {},
  ) {
    const engine = await testEngine({ model, ...more, storage })
    const ids = createIDSource(Date.now)
    return { engine, ids, talk: conversation(ids, engine.session.id) }
  }
  const read = async (storage: Storage, { id }: Session) => (await collected(storage.readMessages(id))).toReversed()
  const texts = (messages: readonly MessageWithParts[]) =>
    messages.map(({ parts }) => parts.map((part) => (part.type === "text" ? part.text : part.type)).join(" "))

  it("of a subagent's session may do no more than its source: its parents deny and ask as before", async () => {
    const storage = await open()
    const careful = { name: "careful", permission: [rule("edit", "deny"), rule("look", "allow")] }
    const agents = [careful, { name: "worker", mode: "subagent" as const, permission: [rule("bash", "ask")] }]
    const user = { name: "user", agent: "careful", rules: [rule("webfetch", "deny")] }
    const { engine: test } = await scene(storage, scriptedModel([]), { agents, permission: [user] })
    await using _ = test
    const { engine } = test
    const parent = { ...test.session, agent: "careful", permission: [rule("mail", "ask"), rule("list", "allow")] }
    await storage.commit(parent.id, [{ type: "session.put", session: parent }])
    const child = await engine.createSession({
      directory: "/",
      parentID: parent.id,
      permission: [rule("grep", "allow")],
    })

    const fork = await engine.forkSession({ sessionID: child.id })
    const other = await engine.forkSession({ sessionID: parent.id })

    expect(fork).not.toHaveProperty("parentID")
    expect(fork.permission?.slice(0, 1)).toEqual([rule("grep", "allow")])
    expect(fork.permission?.slice(1)).toEqual(
      expect.arrayContaining([rule("edit", "deny"), rule("webfetch", "deny"), rule("mail", "ask")]),
    )
    expect(fork.permission?.slice(1).filter(({ action }) => action === "allow")).toEqual([])
    expect(other.permission).toEqual(parent.permission)
  })

  it("has all that was said under new ids, with its links and its order, and leaves the source as it was", async () => {
    const storage = await open()
    const { engine, talk } = await scene(storage)
    await using _ = engine
    const blob = await storage.blobs.put(new TextEncoder().encode("large"))
    talk.user(said("one"), { type: "file", mime: "text/plain", url: `blob:${blob}` })
    const attachment = { id: "prt_a", sessionID: engine.session.id, messageID: "msg_a", type: "file" }
    const state = { status: "completed", input: {}, output: "o", title: "t", metadata: {}, time: { start: 1, end: 2 } }
    const files = [{ ...attachment, mime: "image/png", url: "data:," }]
    talk.assistant(
      {},
      { type: "step-start" },
      { type: "tool", callID: "c", tool: "look", state: { ...state, attachments: files } },
    )
    talk.user(said("two"))
    talk.assistant({}, said("answer two"))
    await talk.commit(storage)
    const before = await read(storage, engine.session)

    const fork = await engine.engine.forkSession({ sessionID: engine.session.id })

    const copied = await read(storage, fork)
    expect(texts(copied)).toEqual(["one file", "step-start tool", "two", "answer two"])
    expect(copied.map(({ info }) => ("parentID" in info ? info.parentID : ""))).toEqual([
      ...["", copied[0]?.info.id, "", copied[2]?.info.id],
    ])
    const records = copied.flatMap(({ info, parts }) => [info, ...parts])
    const old = new Set<string>(before.flatMap(({ info, parts }) => [info.id, ...parts.map(({ id }) => id)]))
    expect(records.filter(({ id, sessionID }) => old.has(id) || sessionID !== fork.id)).toEqual([])
    const tool = copied[1]?.parts[1]
    const copiedFiles = tool?.type === "tool" && tool.state.status === "completed" ? tool.state.attachments : []
    expect(copiedFiles).toMatchObject([{ sessionID: fork.id, messageID: copied[1]?.info.id, url: "data:," }])
    expect(copied[0]?.parts[1]).toMatchObject({ url: `blob:${blob}` })
    expect(fork).toMatchObject({ directory: engine.session.directory, projectID: engine.session.projectID })
    expect(fork.parentID).toBeUndefined()
    expect(await read(storage, engine.session)).toEqual(before)
  })

  it("ends before the message that is named, and in it before the part that is named", async () => {
    const storage = await open()
    const { engine, talk } = await scene(storage)
    await using _ = engine
    const sessionID = engine.session.id
    talk.user(said("one"))
    const answer = talk.assistant({}, { type: "step-start" }, said("first"), said("second"))
    const second = talk.user(said("two"), said("more"))
    await talk.commit(storage)
    const forkAt = async (messageID: MessageWithParts["info"]["id"], part?: number, message = answer) => {
      const partID = part === undefined ? undefined : message.parts[part]?.id
      return read(storage, await engine.engine.forkSession({ sessionID, messageID, partID }))
    }

    expect(texts(await forkAt(second.info.id))).toEqual(["one", "step-start first second"])
    expect(texts(await forkAt(second.info.id, 1, second))).toEqual(["one", "step-start first second", "two"])
    const cut = await forkAt(answer.info.id, 2)
    expect(texts(cut)).toEqual(["one", "step-start first"])
    expect(cut[1]?.info).toMatchObject({ finish: "unknown" })
    expect(texts(await forkAt(answer.info.id, 1))).toEqual(["one"])
    await expect(forkAt("msg_nowhere")).rejects.toThrow(`Session ${sessionID} has no message msg_nowhere.`)
    await expect(engine.engine.forkSession({ sessionID, messageID: answer.info.id, partID: "prt_x" })).rejects.toThrow(
      "has no part prt_x",
    )
    await expect(engine.engine.forkSession({ sessionID: "ses_none" })).rejects.toThrow("There is no session ses_none")
  })

  it("is named after its source with the next number, also where forks are forked", async () => {
    const storage = await open()
    const { engine } = await scene(storage)
    await using _ = engine
    const { engine: api, session } = engine
    await api.updateSession(session.id, { title: "Fix 100% (now)" })

    const first = await api.forkSession({ sessionID: session.id })
    const second = await api.forkSession({ sessionID: session.id })
    const third = await api.forkSession({ sessionID: first.id })

    expect([first, second, third].map(({ title }) => title)).toEqual(
      [1, 2, 3].map((number) => `Fix 100% (now) (fork #${number})`),
    )
  })

  it("starts its context where the source's starts, as long as the summary has come along", async () => {
    const storage = await open()
    const { engine, talk } = await scene(storage)
    await using _ = engine
    const sessionID = engine.session.id
    const compacted = (summary: string) => {
      const marker = talk.user({ type: "compaction", auto: true })
      const answer = talk.assistant({ summary: true }, said(summary))
      return { marker, answer }
    }
    talk.user(said("one"))
    const early = compacted("so far one")
    talk.user(said("two"))
    const late = compacted("so far two")
    const last = talk.user(said("three"))
    await talk.commit(storage)
    await storage.commit(sessionID, [{ type: "session.patch", changes: { boundary: late.marker.info.id } }])
    const contextAt = async (messageID?: MessageWithParts["info"]["id"]) => {
      const fork = await engine.engine.forkSession({ sessionID, messageID })
      return texts((await storage.readContext(fork.id)).messages)
    }

    expect(await contextAt()).toEqual(["compaction", "so far two", "three"])
    expect(await contextAt(last.info.id)).toEqual(["compaction", "so far two"])
    expect(await contextAt(late.answer.info.id)).toEqual(["compaction", "so far one", "two", "compaction"])
    expect(await contextAt(late.marker.info.id)).toEqual(["compaction", "so far one", "two"])
    expect(await contextAt(early.marker.info.id)).toEqual(["one"])
  })

  it("settles what the source's run is still at, and can be worked in at once", async () => {
    const storage = await open()
    const { engine, talk } = await scene(storage, scriptedModel([[text("Done."), finish("stop")]]))
    await using _ = engine
    talk.user(said("go"))
    const { completed: _completed, ...time } = { created: 1, completed: 2 }
    const state = { status: "running", input: {}, time: { start: 1 } }
    const { finish: _finish, ...open_ } = talk.assistant({}).info as Extract<
      MessageWithParts["info"],
      { role: "assistant" }
    >
    talk.messages.pop()
    talk.messages.push({
      info: { ...open_, time },
      parts: [
        {
          id: "prt_1",
          sessionID: engine.session.id,
          messageID: open_.id,
          type: "tool",
          callID: "c",
          tool: "t",
          state,
        } as never,
      ],
    })
    await talk.commit(storage)

    const fork = await engine.engine.forkSession({ sessionID: engine.session.id })

    const [, copied] = await read(storage, fork)
    expect(copied?.parts[0]).toMatchObject({ state: { status: "error", metadata: { interrupted: true } } })
    expect(copied?.info).toMatchObject({ finish: "unknown", time: { completed: expect.any(Number) } })
    const result = await engine.engine.prompt({ sessionID: fork.id, parts: [{ type: "text", text: "Go on" }] })
    expect(result.type).toBe("answered")
  })

  describe("of a large session", () => {
    async function large(storage: Storage) {
      const made = await scene(storage)
      for (let at = 0; at < 60; at++) {
        made.talk.user(said(`ask ${at}`))
        made.talk.assistant({}, said(`${at}:`.padEnd(50_000, "x")))
      }
      await made.talk.commit(storage)
      return made
    }

    it("is copied in batches, in the same order, and announced once it is whole", async () => {
      const storage = await open()
      const { engine } = await large(storage)
      await using _ = engine
      const commits: number[] = []
      const counted: Storage = {
        ...storage,
        commit: (id, writes, lease) => {
          commits.push(JSON.stringify(writes).length)
          return storage.commit(id, writes, lease)
        },
      }
      await using other = await testEngine({ model: scriptedModel([]), storage: counted, session: engine.session })

      const fork = await other.engine.forkSession({ sessionID: engine.session.id })

      expect(Math.max(...commits)).toBeLessThan(1_200_000)
      expect(commits.length).toBeGreaterThan(3)
      const copied = await read(storage, fork)
      expect(copied.map(({ parts: [part] }) => part?.type === "text" && part.text.slice(0, 6))).toEqual(
        (await read(storage, engine.session)).map(
          ({ parts: [part] }) => part?.type === "text" && part.text.slice(0, 6),
        ),
      )
      const ids = copied.flatMap(({ info, parts }) => [info.id.slice(4), ...parts.map(({ id }) => id.slice(4))])
      expect(ids.filter((_, at) => at % 2 === 1)).toEqual(ids.filter((_, at) => at % 2 === 1).toSorted())
      expect(other.events.filter(({ type }) => type.startsWith("session."))).toMatchObject([
        { type: "session.created", properties: { info: { id: fork.id } } },
      ])
      expect(await storage.getSession(fork.id)).toEqual(fork)
      expect(fork.metadata).toBeUndefined()
    })

    it("does not show when it was interrupted, and is removed by the next one", async () => {
      const storage = await open()
      const { engine } = await large(storage)
      await using _ = engine
      const sessionID = engine.session.id
      let commits = 0
      // A process that dies neither commits nor tidies up any more.
      const dying: Storage = {
        ...storage,
        async commit(id, writes, lease) {
          if (++commits > 2) throw new Error("gone")
          return storage.commit(id, writes, lease)
        },
        removeSession: () => Promise.reject(new Error("gone")),
      }
      const deaf: EngineEvent[] = []
      await using other = await testEngine({ model: scriptedModel([]), storage: dying, session: engine.session })
      other.engine.subscribe((event) => deaf.push(event))

      await expect(other.engine.forkSession({ sessionID })).rejects.toThrow("gone")

      const [left] = await collected(storage.listSessions({ parentID: sessionID }))
      expect(left?.metadata).toMatchObject({ unfinishedFork: true })
      expect(await engine.engine.children(sessionID)).toEqual([])
      expect((await collected(engine.engine.listSessions())).map(({ id }) => id)).toEqual([sessionID])
      await expect(engine.engine.getSession(left?.id ?? "ses_")).rejects.toThrow("There is no session")
      expect(deaf.filter(({ type }) => type.startsWith("session."))).toEqual([])

      const fork = await engine.engine.forkSession({ sessionID })

      const all = await collected(storage.listSessions())
      expect(all.map(({ id }) => id).toSorted()).toEqual([fork.id, sessionID].toSorted())
      expect(await read(storage, fork)).toHaveLength(120)
    })
  })
})
