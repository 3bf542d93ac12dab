import type { MessageWithParts, MaintainedStorage, Session, Storage } from "@pawl/core/storage"
import { memoryStorage } from "@pawl/storage-memory"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { storages } from "../test/places.ts"
import { failingStorage } from "../test/failing-storage.ts"
import { everything, longTurn, model, newID, session, store, turn } from "../test/sessions.ts"
import { copyStorage } from "./copy.ts"
import { exportSession } from "./export.ts"
import { importSession } from "./import.ts"
import { ImportConflictError } from "./import-report.ts"
import { DocumentError } from "./document-error.ts"
import { projectionHash } from "./projection-hash.ts"
import { recordHash } from "./record-hash.ts"

async function source(): Promise<{
  storage: MaintainedStorage
  root: Session
  child: Session
  blob: string
  messages: MessageWithParts[]
}> {
  const storage = memoryStorage()
  const blob = await storage.blobs.put(Buffer.from("large"))
  const id = newID.session()
  const messages = [...turn(id, "one", { blob }), ...turn(id, "two")]
  const boundary = messages[2]?.info.id
  const root = session({ id, ...(boundary && { boundary }), metadata: { nested: { empty: {}, list: [] } } })
  const child = session({ parentID: id })
  await store(storage, root, messages)
  await store(storage, child, turn(child.id, "three"))
  return { storage, root, child, blob, messages }
}

const json = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

describe.each(storages)("into %s", (_name, open) => {
  it("brings everything as it was, with its blobs", async () => {
    const { storage, root, child, blob } = await source()
    const target = await open()
    const report = await importSession(target, json(await exportSession(storage, root.id)))
    expect(report).toEqual({
      sessions: [
        { id: root.id, from: root.id, outcome: "added" },
        { id: child.id, from: child.id, outcome: "added" },
      ],
      messages: 6,
      parts: 12,
      blobs: 1,
      dropped: [],
      warnings: [],
    })
    expect(await everything(target)).toEqual(await everything(storage))
    expect(Buffer.from((await target.blobs.get(blob)) ?? []).toString()).toBe("large")
    expect(await recordHash(target, root.id)).toBe(await recordHash(storage, root.id))
    expect(await projectionHash(target, root.id, model)).toBe(await projectionHash(storage, root.id, model))
  })

  it("brings any text and any number as it was", async () => {
    const value = fc.jsonValue({ stringUnit: "binary", maxDepth: 3 })
    const samples = fc.sample(fc.tuple(fc.string({ unit: "binary" }), fc.dictionary(fc.string(), value)), {
      numRuns: 25,
      seed: 7,
    })
    const storage = memoryStorage()
    const roots: Session[] = []
    for (const [title, metadata] of samples) {
      const root = session({ title: `${title}\ud800`, metadata: json(metadata) as Record<string, unknown> })
      await store(storage, root, turn(root.id, title))
      roots.push(root)
    }
    const target = await open()
    for (const { id } of roots) await importSession(target, json(await exportSession(storage, id)))
    expect(await everything(target)).toEqual(await everything(storage))
  })

  it("does nothing the second time", async () => {
    const { storage, root } = await source()
    const target = await open()
    const document = await exportSession(storage, root.id)
    await importSession(target, document)
    const { revision } = await target.readContext(root.id)
    const report = await importSession(target, document)
    expect(report.sessions.map(({ outcome }) => outcome)).toEqual(["unchanged", "unchanged"])
    expect((await target.readContext(root.id)).revision).toBe(revision)
  })

  it("writes a session that fits into one commit in one", async () => {
    const { storage, root } = await source()
    const target = await open()
    await importSession(target, await exportSession(storage, root.id))
    expect((await target.readContext(root.id)).revision).toBe(1)
  })

  it("makes new ids in the same order and with the same links, and the same ones again", async () => {
    const { storage, root, messages } = await source()
    const target = await open()
    const document = await exportSession(storage, root.id)
    await importSession(target, document)
    const { sessions } = await importSession(target, document, { ids: "new" })
    const again = await importSession(target, document, { ids: "new" })
    const [copy, child] = sessions
    expect(again.sessions).toEqual(sessions.map((each) => ({ ...each, outcome: "unchanged" })))
    expect(copy?.from).toBe(root.id)
    expect(copy?.id).not.toBe(root.id)
    const id = copy?.id ?? root.id
    expect((await target.getSession(child?.id ?? id))?.parentID).toBe(id)
    const { session: copied, messages: tail } = await target.readContext(id)
    expect(tail).toHaveLength(2)
    expect(copied.boundary).toBe(tail[0]?.info.id)
    expect(tail[1]?.info).toMatchObject({ parentID: tail[0]?.info.id, sessionID: id })
    expect(tail[1]?.parts.map(({ type }) => type)).toEqual(["reasoning", "tool", "text"])
    expect(tail[1]?.parts[1]).toMatchObject({ callID: "call_1", messageID: tail[1]?.info.id, sessionID: id })
    expect(messages.map(({ info }) => info.id as string)).not.toContain(tail[0]?.info.id)
    expect(await projectionHash(target, id, model)).toBe(await projectionHash(storage, root.id, model))
    const another = await importSession(target, document, { ids: "new", copy: "second" })
    expect(another.sessions[0]?.id).not.toBe(id)
  })

  it("leaves the ids of calls, and names attachments and parents of calls anew", async () => {
    const storage = memoryStorage()
    const root = session()
    const child = session({ parentID: root.id })
    const messages = turn(root.id, "x").map(({ info, parts }) => ({
      info,
      parts: parts.map((part) => {
        if (part.type !== "tool" || part.state.status !== "completed") return part
        const { id, sessionID, messageID } = part
        const file = {
          id: `${id}a` as const,
          sessionID,
          messageID,
          type: "file" as const,
          mime: "image/png",
          url: "data:,",
        }
        const state = {
          ...part.state,
          metadata: { sessionID: child.id },
          output: `see ${child.id}`,
          attachments: [file],
        }
        return { ...part, callID: part.id, state }
      }),
    }))
    await store(storage, root, messages)
    await store(storage, child, [])
    const target = await open()
    const { sessions } = await importSession(target, await exportSession(storage, root.id), { ids: "new" })
    const id = sessions[0]?.id ?? root.id
    const { messages: imported } = await target.readContext(id)
    const call = messages[1]?.parts[1]
    expect(imported[1]?.parts[1]).toMatchObject({
      callID: call?.id,
      state: {
        metadata: { sessionID: sessions[1]?.id },
        output: `see ${child.id}`,
        attachments: [{ sessionID: id, messageID: imported[1]?.info.id }],
      },
    })
  })

  it("refuses a session that is here and differs, before anything is written", async () => {
    const { storage, root, child } = await source()
    const target = await open()
    await store(target, { ...child, title: "Gone on with here" }, [])
    const importing = importSession(target, await exportSession(storage, root.id))
    await expect(importing).rejects.toThrow(ImportConflictError)
    await expect(importing).rejects.toThrow(`Session ${child.id} is here already`)
    expect(await target.getSession(root.id)).toBeUndefined()
  })

  it("goes on after it was killed at any call", async () => {
    const storage = memoryStorage()
    const root = session()
    const blob = await storage.blobs.put(Buffer.from("large"))
    await store(storage, root, longTurn(root.id, { blob }))
    const document = await exportSession(storage, root.id)
    for (let failAt = 1; ; failAt++) {
      const target = await open()
      const failing = failingStorage(target, failAt)
      const done = await importSession(failing.storage, document).catch((error: unknown) => error)
      const seen = await target.getSession(root.id)
      if (done instanceof Error && seen?.title === root.title) {
        expect(await recordHash(target, root.id)).toBe(await recordHash(storage, root.id))
      }
      await importSession(target, document)
      expect(await everything(target)).toEqual(await everything(storage))
      if (!(done instanceof Error)) {
        expect(await target.acquire(root.id, "run", 1000)).toBeDefined()
        expect(failAt).toBeGreaterThan(10)
        break
      }
    }
  })
})

it("keeps a half imported session out of the way, and nobody runs it", async () => {
  const storage = memoryStorage()
  const root = session()
  await store(storage, root, longTurn(root.id))
  const document = await exportSession(storage, root.id)
  const target = memoryStorage()
  const seen: unknown[] = []
  const commit: Storage["commit"] = async (id, writes, lease) => {
    const revision = await target.commit(id, writes, lease)
    const now = await target.getSession(id)
    seen.push([now?.title, now?.time.archived !== undefined, lease !== undefined])
    return revision
  }
  await importSession({ ...target, commit }, document)
  expect(seen.slice(0, 2)).toEqual([
    ["Unfinished transfer: A session", true, false],
    ["Unfinished transfer: A session", true, true],
  ])
  expect(seen.at(-1)).toEqual(["A session", false, true])
})

it("leaves a session that another process runs alone", async () => {
  const { storage, root } = await source()
  const target = memoryStorage()
  const document = await exportSession(storage, root.id, { children: false })
  await store(target, { ...root, title: "x", metadata: { unfinishedTransfer: true } }, [])
  await target.acquire(root.id, "a run", 10_000)
  await expect(importSession(target, document)).rejects.toThrow("is being worked on by another process")
})

it("removes nothing that was said in what an interrupted import left", async () => {
  const { storage, root, messages } = await source()
  const target = memoryStorage()
  const document = await exportSession(storage, root.id, { children: false })
  const unfinished = { ...root, metadata: { unfinishedTransfer: true } }
  await store(target, unfinished, [...messages.slice(0, 2), ...turn(root.id, "only here")])
  await expect(importSession(target, document)).rejects.toThrow(ImportConflictError)
  expect((await copyStorage(storage, target)).left).toEqual([{ id: root.id, reason: "diverged" }])
})

it("maps paths in their fields and leaves texts alone", async () => {
  const { storage, root } = await source()
  const target = memoryStorage()
  const paths = [{ from: "/home/ada/code", to: "/srv/code" }]
  const document = await exportSession(storage, root.id)
  await importSession(target, document, { paths })
  expect((await importSession(target, document, { paths })).sessions[0]?.outcome).toBe("unchanged")
  const { session: moved, messages } = await target.readContext(root.id)
  expect(moved.directory).toBe("/srv/code")
  expect(messages[1]?.info).toMatchObject({ path: { cwd: "/srv/code", root: "/home/ada" } })
  expect(messages[1]?.parts[1]).toMatchObject({
    state: { input: { filePath: "/srv/code/a.ts" }, output: "read /home/ada/code/a.ts" },
  })
  expect(await projectionHash(storage, root.id, model, { paths })).toBe(await projectionHash(target, root.id, model))
  expect(await projectionHash(storage, root.id, model)).not.toBe(await projectionHash(target, root.id, model))
})

it("makes a session whose parent is not there a root", async () => {
  const { storage, child } = await source()
  const target = memoryStorage()
  await importSession(target, await exportSession(storage, child.id))
  expect((await target.getSession(child.id))?.parentID).toBeUndefined()
  expect((await importSession(storage, await exportSession(storage, child.id))).sessions[0]?.outcome).toBe("unchanged")
})

it("tells that a document was changed by hand", async () => {
  const { storage, root } = await source()
  const document = await exportSession(storage, root.id)
  const [first] = document.sessions
  const changed = { ...document, sessions: [{ ...first, session: { ...first?.session, title: "Mine" } }] }
  const { warnings } = await importSession(memoryStorage(), changed)
  expect(warnings).toEqual([`Session ${root.id} is not as it was exported: the document was changed since.`])
})

it("exports a session that came to stand below itself, once", async () => {
  const storage = memoryStorage()
  const [a, b] = [newID.session(), newID.session()]
  await store(storage, session({ id: a, parentID: b }), turn(a, "one"))
  await store(storage, session({ id: b, parentID: a }), turn(b, "two"))
  const { sessions } = await exportSession(storage, a)
  expect(sessions.map((each) => each.session.id)).toEqual([a, b])
})

it("keeps fields that it does not know", async () => {
  const { storage, root } = await source()
  const document = await exportSession(storage, root.id, { children: false })
  const sessions = document.sessions.map((entry) => ({ ...entry, session: { ...entry.session, later: [1] } }))
  const target = memoryStorage()
  await importSession(target, { ...document, sessions })
  expect(await target.getSession(root.id)).toMatchObject({ later: [1] })
})

describe("what a document allows", () => {
  const approvals = [{ agent: "build", permission: "bash", pattern: "rm -rf ~", time: { created: 1 } }]
  const permission = [
    { permission: "*", pattern: "*", action: "allow" as const },
    { permission: "edit", pattern: "*", action: "deny" as const },
  ]
  const loose = { approvals, permission }

  async function exported() {
    const storage = memoryStorage()
    const root = session(loose)
    const child = session({ ...loose, parentID: root.id })
    await store(storage, root, turn(root.id, "one"))
    await store(storage, child, turn(child.id, "two"))
    return { storage, root, child, document: json(await exportSession(storage, root.id)) }
  }

  it.each(storages)(
    "is left out of each session in %s and listed, with the same ids and with new ones",
    async (_name, open) => {
      const { root, child, document } = await exported()
      for (const ids of ["keep", "new"] as const) {
        const target = await open()
        const { sessions, dropped } = await importSession(target, document, { ids })
        for (const { id } of sessions) {
          const kept = await target.getSession(id)
          expect(kept?.approvals).toBeUndefined()
          expect(kept?.permission).toEqual([permission[1]])
          const own = dropped.filter(({ sessionID }) => sessionID === id)
          expect(own.map(({ kind }) => kind)).toEqual(["approval", "rule"])
        }
        expect(sessions.map(({ from }) => from)).toEqual([root.id, child.id])
        const again = await importSession(target, document, { ids })
        expect(again.sessions.map(({ outcome }) => outcome)).toEqual(["unchanged", "unchanged"])
        expect(again.dropped).toEqual([])
      }
    },
  )

  it("stays where the session is stored just as the document has it, and where pawl wrote the document for itself", async () => {
    const { storage, document } = await exported()
    const before = await everything(storage)
    const report = await importSession(storage, document)
    expect(report.sessions.map(({ outcome }) => outcome)).toEqual(["unchanged", "unchanged"])
    expect(report.dropped).toEqual([])
    expect(await everything(storage)).toEqual(before)

    const target = memoryStorage()
    expect((await importSession(target, document, { origin: "here" })).dropped).toEqual([])
    expect(await everything(target)).toEqual(before)
  })

  it("is left out of a session that is stored and was changed in the document: it is refused, and nothing is written", async () => {
    const { storage, root, document } = await exported()
    await store(storage, { ...root, permission: [] }, [])
    const before = await everything(storage)
    await expect(importSession(storage, document)).rejects.toThrow(ImportConflictError)
    expect(await everything(storage)).toEqual(before)
  })

  it("is all copied from one storage of one's own to another", async () => {
    const { storage } = await exported()
    const target = memoryStorage()
    await copyStorage(storage, target)
    expect(await everything(target)).toEqual(await everything(storage))
  })

  it("does not come by way of a session that is here: none from elsewhere comes to stand below it", async () => {
    const { storage, root, document } = await exported()
    const stranger = session({ parentID: root.id, title: "Stranger" })
    const whole = document as { sessions: object[] }
    const entry = { session: stranger, messages: [] }
    // Beside the session just as it is here, and alone.
    for (const sessions of [[...whole.sessions, entry], [entry]]) {
      const { dropped } = await importSession(storage, json({ ...whole, sessions }))
      expect((await storage.getSession(stranger.id))?.parentID).toBeUndefined()
      expect(dropped).toMatchObject([{ sessionID: stranger.id, kind: "parent", what: root.id }])
      await storage.removeSession(stranger.id)
    }
    const target = memoryStorage()
    await importSession(target, json({ ...whole, sessions: [...whole.sessions, entry] }))
    expect((await target.getSession(stranger.id))?.parentID).toBe(root.id)
  })

  it("goes on to the end after it was killed at any call", async () => {
    const { document } = await exported()
    for (let failAt = 1; ; failAt++) {
      const target = memoryStorage()
      const done = await importSession(failingStorage(target, failAt).storage, document).catch(
        (error: unknown) => error,
      )
      await importSession(target, document)
      const all = await everything(target)
      expect(all).toHaveLength(2)
      for (const { session: kept } of all)
        expect([kept.approvals, kept.permission]).toEqual([undefined, [permission[1]]])
      expect(all.filter(({ session: kept }) => kept.parentID !== undefined)).toHaveLength(1)
      if (!(done instanceof Error)) break
    }
  })
})

describe("a document that cannot be imported", () => {
  const cases: [what: string, path: string, words: string, change: (text: string) => string][] = [
    [
      "of another format",
      "$.format",
      "Give a document that pawl or OpenCode exported",
      (text) => text.replace("pawl-session", "x"),
    ],
    ["of a newer version", "$.version", "Update pawl", (text) => text.replace('"version":1', '"version":2')],
    [
      "with a role that is none",
      "$.sessions[0].messages[1].info.role",
      "Invalid",
      (text) => text.replace('"role":"assistant"', '"role":"x"'),
    ],
    [
      "with a wrong state",
      "$.sessions[0].messages[1].parts[1].state.output",
      "expected string",
      (text) => text.replace(/"output":"read[^"]*"/, '"output":7'),
    ],
    [
      "with a part of another session",
      "$.sessions[0].messages[0].parts[0].sessionID",
      "ses_other",
      (text) => text.replace(/(prt_\w+","sessionID":")ses_\w+/, "$1ses_other"),
    ],
    [
      "with an id that leads out of a directory",
      "$.sessions[0].session.id",
      "not a valid session id",
      (text) => text.replace(/ses_\w+/g, "ses_/../../x"),
    ],
    [
      "with a session below itself",
      "$.sessions[0].session.parentID",
      "below itself",
      (text) => text.replace(/"id":"(ses_\w+)",/, '"id":"$1","parentID":"$1",'),
    ],
    [
      "with a damaged blob",
      "$.blobs[0]",
      "Export the session again",
      (text) => text.replace(/"base64":"[^"]*"/, '"base64":"AAAA"'),
    ],
  ]
  it.each(cases)("%s is refused with its place", async (_what, path, words, change) => {
    const { storage, root } = await source()
    const target = memoryStorage()
    const text = change(JSON.stringify(await exportSession(storage, root.id)))
    const error = await importSession(target, JSON.parse(text)).catch((error: unknown) => error)
    expect(error).toBeInstanceOf(DocumentError)
    expect((error as DocumentError).path).toBe(path)
    expect((error as DocumentError).message).toContain(words)
    expect(await everything(target)).toEqual([])
  })

  it.each([[7], [null], [[]], ["{}"]])("%j is refused", async (value) => {
    await expect(importSession(memoryStorage(), value)).rejects.toThrow(DocumentError)
  })
})
