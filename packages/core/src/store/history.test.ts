import { describe, expect, it } from "vitest"
import { seeded } from "../../test/seeded.ts"
import type { MessageID, PartID } from "../base/ids.ts"
import type { Change, Context, Write } from "../contracts/storage.ts"
import { applyChanges, catchUp, type History, openHistory, withStaged } from "./history.ts"
import type { AssistantMessage, Part, Session, UserMessage } from "../record/message.ts"

const sessionID = "ses_1"
const session: Session = {
  id: sessionID,
  projectID: "global",
  directory: "/",
  title: "Work",
  version: "1",
  time: { created: 1, updated: 1 },
}
const model = { providerID: "acme", modelID: "small" }

const user = (id: MessageID, agent = "build"): UserMessage => {
  return { id, sessionID, role: "user", time: { created: 1 }, agent, model }
}
const text = (messageID: MessageID, id: PartID, words: string): Part => {
  return { id, sessionID, messageID, type: "text", text: words }
}

/**
 * What the Storage contract says, at its simplest: it keeps records, each with its last revision, and reads them all
 * anew. A record that is gone stays in the changes as a removal.
 */
function referenceStorage() {
  const records = new Map<string, Change & { order: number }>()
  let [stored, revision, order] = [session, 0, 0]
  const keep = (key: string, change: Change) => void records.set(key, { ...change, order: order++ })
  const drop = (prefix: string) =>
    [...records.keys()].filter((key) => key.startsWith(prefix)).forEach((key) => records.delete(key))
  const put = <T extends Change["type"]>(type: T) =>
    [...records.values()].filter((record) => record.type === type) as unknown as Extract<Change, { type: T }>[]
  const byID = <T extends { id: string }>(list: T[]) => list.sort((a, b) => (a.id < b.id ? -1 : 1))

  const context = (): Context => {
    const parts = byID(put("part.put").map(({ part }) => part))
    const messages = byID(put("message.put").map(({ message }) => message)).filter(
      ({ id }) => id >= (stored.boundary ?? ""),
    )
    return {
      session: stored,
      revision,
      messages: messages.map((info) => ({ info, parts: parts.filter(({ messageID }) => messageID === info.id) })),
    }
  }
  return {
    reads: { context: 0, changes: 0 },
    commit(...writes: Write[]) {
      revision++
      for (const write of writes) {
        if (write.type === "session.patch") {
          stored = { ...stored, ...write.changes } as Session
          keep("session", { type: "session.put", revision, session: stored })
        } else if (write.type === "message.put") keep(write.message.id, { ...write, revision })
        else if (write.type === "part.put") keep(`${write.part.messageID}/${write.part.id}`, { ...write, revision })
        else if (write.type === "part.remove") keep(`${write.messageID}/${write.partID}`, { ...write, revision })
        else if (write.type === "message.remove") {
          drop(`${write.messageID}/`)
          keep(write.messageID, { ...write, revision })
        }
      }
    },
    context,
    async readContext() {
      this.reads.context++
      return context()
    },
    async readChanges(_id: string, after: number): Promise<Change[]> {
      this.reads.changes++
      const changed = [...records.values()].filter((record) => record.revision > after)
      return changed
        .sort((a, b) => a.revision - b.revision || a.order - b.order)
        .map(({ order: _order, ...change }) => change)
    },
  }
}
function testHistory() {
  const storage = referenceStorage()
  return { storage, deps: { storage } }
}

describe("catching up", () => {
  it("gives what reading anew gives, whatever was written", async () => {
    const random = seeded(3)
    const below = (count: number) => Math.floor(random() * count)
    const { storage, deps } = testHistory()
    let history = await openHistory(deps, sessionID)

    for (let round = 0; round < 300; round++) {
      for (let commits = below(4); commits > 0; commits--) {
        const known = storage.context().messages.map(({ info }) => info.id)
        const messageID: MessageID =
          known.length > 0 && random() < 0.7 ? (known[below(known.length)] as MessageID) : `msg_${10 + below(20)}`
        const partID: PartID = `prt_${10 + below(5)}`
        const isStored = known.includes(messageID)
        storage.commit(
          ...(random() < 0.1 ? [{ type: "session.patch", changes: { title: `${round}` } } as const] : []),
          ...(isStored && random() < 0.6
            ? [
                random() < 0.8
                  ? ({ type: "part.put", part: text(messageID, partID, `${round}`) } as const)
                  : ({ type: "part.remove", messageID, partID } as const),
              ]
            : []),
          ...(random() < 0.15 && isStored
            ? [{ type: "message.remove", messageID } as const]
            : [{ type: "message.put", message: user(messageID, `${round}`) } as const]),
        )
      }
      const before = history
      history = await catchUp(deps, history)

      expect({ round, ...history }).toEqual({ round, ...storage.context() })
      expect(history.messages.filter((message) => !before.messages.includes(message)).length).toBeLessThanOrEqual(3)
    }
    expect(storage.reads).toEqual({ context: 1, changes: 300 })
  })

  it("reads nothing anew and gives the same history when nothing was committed", async () => {
    const { storage, deps } = testHistory()
    storage.commit({ type: "message.put", message: user("msg_1") })
    const history = await openHistory(deps, sessionID)

    expect(await catchUp(deps, history)).toBe(history)
    expect(storage.reads).toEqual({ context: 1, changes: 1 })
  })

  it("reads from the new boundary once it has moved", async () => {
    const { storage, deps } = testHistory()
    for (const id of ["msg_1", "msg_2", "msg_3"] as const) storage.commit({ type: "message.put", message: user(id) })
    const history = await openHistory(deps, sessionID)
    storage.commit({ type: "session.patch", changes: { boundary: "msg_2" } })

    const next = await catchUp(deps, history)

    expect(next.messages.map(({ info }) => info.id)).toEqual(["msg_2", "msg_3"])
    expect(next.session.boundary).toBe("msg_2")
    expect(storage.reads.context).toBe(2)
  })
})

describe("what is staged", () => {
  it("shows as it will be stored, and leaves the revision to its commit", () => {
    const history: History = { session, revision: 5, messages: [{ info: user("msg_1"), parts: [] }] }
    const next = withStaged(history, [
      { type: "message.put", message: user("msg_2") },
      { type: "part.put", part: text("msg_2", "prt_1", "two") },
      { type: "session.patch", changes: { title: "Read when it is stored" } },
    ])
    expect(next).toEqual({
      session,
      revision: 5,
      messages: [...history.messages, { info: user("msg_2"), parts: [text("msg_2", "prt_1", "two")] }],
    })
    expect(next.messages[0]).toBe(history.messages[0])
  })
})

describe("applying changes", () => {
  const history: History = {
    session,
    revision: 5,
    messages: [
      { info: user("msg_1"), parts: [text("msg_1", "prt_1", "one")] },
      { info: user("msg_3"), parts: [text("msg_3", "prt_1", "three"), text("msg_3", "prt_3", "three")] },
    ],
  }
  const ids = ({ messages }: History) => messages.map(({ info, parts }) => [info.id, ...parts.map(({ id }) => id)])

  it("keeps the parts of a message that stands behind them, as one does that was put again when its step ended", () => {
    const step = { ...user("msg_4"), role: "assistant", finish: "stop" } as unknown as AssistantMessage
    const next = applyChanges(history, [
      { type: "part.put", revision: 6, part: text("msg_4", "prt_1", "a") },
      { type: "part.put", revision: 7, part: text("msg_4", "prt_2", "b") },
      { type: "message.put", revision: 7, message: step },
    ])
    expect(ids(next).at(-1)).toEqual(["msg_4", "prt_1", "prt_2"])
    expect(next.messages.at(-1)?.info).toBe(step)
  })

  it("puts messages and parts where their ids belong", () => {
    const next = applyChanges(history, [
      { type: "message.put", revision: 6, message: user("msg_2") },
      { type: "part.put", revision: 6, part: text("msg_3", "prt_2", "new") },
    ])
    expect(ids(next)).toEqual([["msg_1", "prt_1"], ["msg_2"], ["msg_3", "prt_1", "prt_2", "prt_3"]])
  })

  it("keeps the parts of a message that is put again", () => {
    const next = applyChanges(history, [{ type: "message.put", revision: 6, message: user("msg_3", "plan") }])
    expect(next.messages[1]).toEqual({ info: user("msg_3", "plan"), parts: history.messages[1]?.parts })
  })

  it("removes parts, and messages with theirs; what is not there cannot be removed", () => {
    const next = applyChanges(history, [
      { type: "part.remove", revision: 6, messageID: "msg_3", partID: "prt_1" },
      { type: "message.remove", revision: 7, messageID: "msg_1" },
      { type: "part.remove", revision: 8, messageID: "msg_1", partID: "prt_1" },
      { type: "message.remove", revision: 8, messageID: "msg_9" },
    ])
    expect(ids(next)).toEqual([["msg_3", "prt_3"]])
  })

  it("leaves out what lies before the boundary", () => {
    const bounded = { ...history, session: { ...session, boundary: "msg_1" as const } }
    const next = applyChanges(bounded, [
      { type: "part.put", revision: 6, part: text("msg_0", "prt_1", "old") },
      { type: "message.put", revision: 7, message: user("msg_0") },
    ])
    expect(ids(next)).toEqual(ids(history))
  })

  it("takes over the newest session and revision", () => {
    const next = applyChanges(history, [
      { type: "session.put", revision: 6, session: { ...session, title: "Older" } },
      { type: "session.put", revision: 9, session: { ...session, title: "Newer" } },
    ])
    expect(next).toMatchObject({ revision: 9, session: { title: "Newer" } })
  })

  it.each([100, 1000])(
    "finds each of %s messages that are changed at once without walking past the others",
    (count) => {
      let reads = 0
      const messages = Array.from({ length: count }, (_, at) => {
        const id = `msg_${String(at).padStart(6, "0")}` as const
        const info = user(id)
        return Object.defineProperty({ info, parts: [text(id, "prt_1", "a")] }, "info", {
          get: () => (reads++, info),
          enumerable: true,
        })
      })
      const changes = messages.map(({ parts: [part] }): Change => {
        return { type: "part.put", revision: 6, part: { ...(part as Part), ignored: true } as Part }
      })
      reads = 0
      const next = applyChanges({ session, revision: 5, messages }, changes)
      expect(next.messages.every(({ parts }) => (parts[0] as { ignored?: boolean }).ignored)).toBe(true)
      expect(reads / count).toBeLessThan(20)
    },
  )

  it("finds a message that does not stand where its id says", () => {
    const messages = (["msg_3", "msg_1", "msg_2"] as const).map((id) => ({ info: user(id), parts: [] }))
    const next = applyChanges({ session, revision: 5, messages }, [
      { type: "part.put", revision: 6, part: text("msg_3", "prt_1", "new") },
    ])
    expect(ids(next)).toEqual([["msg_3", "prt_1"], ["msg_1"], ["msg_2"]])
  })

  it("keeps the identity of messages that did not change, and changes nothing in place", () => {
    const before = structuredClone(history)
    const next = applyChanges(history, [
      { type: "part.put", revision: 6, part: text("msg_3", "prt_1", "new") },
      { type: "message.put", revision: 6, message: user("msg_5") },
    ])
    expect(next.messages[0]).toBe(history.messages[0])
    expect(next.messages[1]).not.toBe(history.messages[1])
    expect(history).toEqual(before)
  })
})
