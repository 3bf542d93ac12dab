import { chmod, mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { Session, SessionID, Storage } from "@pawl/core/storage"
import * as schemas from "@pawl/core/schemas"
import { memoryStorage } from "@pawl/storage-memory"
import { describe, expect, it } from "vitest"
import {
  type OpenCodeSession,
  openCodeDatabase,
  openCodeSession,
  writeSession,
  writeTree,
} from "../../test/opencode.ts"
import { directory, storages } from "../../test/places.ts"
import { everything, session, store, turn } from "../../test/sessions.ts"
import { exportSession } from "../export.ts"
import { importSession } from "../import.ts"
import { DocumentError } from "../document-error.ts"
import { importOpenCode } from "./import.ts"

type Write = (...sessions: OpenCodeSession[]) => Promise<string>

async function database(): Promise<{ path: string; write: Write }> {
  const path = join(await directory(), "opencode.db")
  openCodeDatabase(path).close()
  return { path, write: async (...sessions) => (writeAll(path, sessions), path) }
}

function writeAll(path: string, sessions: readonly OpenCodeSession[]): void {
  const db = openCodeDatabase(path)
  for (const each of sessions) writeSession(db, each)
  db.close()
}

async function tree(): Promise<{ path: string; write: Write }> {
  const path = join(await directory(), "storage")
  return {
    path,
    write: async (...sessions) => {
      for (const each of sessions) await writeTree(path, each)
      return path
    },
  }
}

async function only(
  storage: Storage,
): Promise<{ session: Session; messages: Awaited<ReturnType<typeof everything>>[0]["messages"] }> {
  const [first] = await everything(storage)
  if (!first) throw new Error("The storage is empty.")
  return { session: first.session, messages: first.messages.toReversed() }
}

describe.each([
  ["database", database],
  ["tree", tree],
] as const)("OpenCode's %s", (kind, place) => {
  it.each(storages)("is imported into %s with all that it says", async (_name, open) => {
    const { write } = await place()
    const given = openCodeSession()
    const path = await write(given)
    const storage = await open()
    const report = await importOpenCode(path, storage)
    const [brought] = report.sessions
    expect(report).toMatchObject({ locations: [path], messages: 4, parts: 18 })
    expect(brought).toMatchObject({ from: "ses_8aa", outcome: "added" })
    expect(report.problems.map(({ message }) => message)).toEqual([
      'A part of type "hologram" whose shape is not known was kept as a note.',
    ])

    const { session: imported, messages } = await only(storage)
    expect(imported).toMatchObject({
      id: brought?.id,
      projectID: "f00d",
      directory: "/home/ada/code",
      title: "From OpenCode",
      version: "1.18.33",
      agent: "build",
      model: { providerID: "acme", modelID: "large" },
      boundary: given.messages[0]?.info.id,
      summary: { additions: 3, deletions: 1, files: 1 },
      permission: [{ permission: "question", pattern: "*", action: "deny" }],
      metadata: {
        opencode: { id: "ses_8aa", slug: "curious-harbor", cost: 0.5, share: { url: "https://share.example/x" } },
      },
      time: { created: 1_750_000_000_000, updated: 1_750_000_000_100, archived: 1_750_000_000_200 },
    })
    expect(imported.share).toBeUndefined()
    expect(messages.map(({ info }) => info.id as string)).toEqual(given.messages.map(({ info }) => info.id))
    expect(messages[0]?.info).toMatchObject({ model: { providerID: "acme", modelID: "large" }, variant: "high" })
    expect(messages[1]?.info).toMatchObject({
      cost: 0.25,
      finish: "stop",
      tokens: { input: 10, output: 5, cache: { read: 1 } },
    })
    const parts = messages.flatMap((message) => message.parts)
    expect(parts.map(({ id }) => id as string)).toEqual(
      given.messages.flatMap((message) => message.parts.map(({ id }) => id)),
    )
    expect(parts.map(({ type }) => type).filter((type) => type !== "tool")).toEqual(
      given.messages
        .flatMap((message) => message.parts.map((part) => (part["type"] === "hologram" ? "text" : part["type"])))
        .filter((type) => type !== "tool"),
    )
    // What had not ended is over: nothing of it is done when the session is continued here.
    expect(parts.flatMap((part) => (part.type === "tool" ? part.state.status : []))).toEqual([
      "error",
      "error",
      "completed",
      "error",
    ])
    expect(report.dropped.map(({ kind, what }) => [kind, what])).toEqual([
      ["call", "read"],
      ["call", "read"],
    ])
    expect(parts.at(-3)).toMatchObject({ ignored: true, metadata: { opencode: { type: "hologram", depth: 3 } } })
    for (const { info, parts } of messages) {
      expect(schemas.message.safeParse(info).success).toBe(true)
      for (const part of parts) expect(schemas.part.safeParse(part).success).toBe(true)
    }
  })

  it("is left out where it is larger than what is read, and it is said which field is", async () => {
    const { write } = await place()
    const long = (id: string, change: (session: OpenCodeSession) => void) => {
      const given = structuredClone(openCodeSession())
      const others = given.messages.map(({ info, parts }, at) => {
        const messageID = `msg_${id}${at}`
        return {
          info: { ...info, id: messageID, sessionID: `ses_${id}` },
          parts: parts.map((part, p) => ({ ...part, id: `prt_${id}${at}${p}`, sessionID: `ses_${id}`, messageID })),
        }
      })
      const session: OpenCodeSession = { info: { ...given.info, id: `ses_${id}` }, messages: others }
      change(session)
      return session
    }
    const path = await write(
      long("title", ({ info }) => Object.assign(info, { title: "x".repeat(10_001) })),
      long("record", ({ info }) => Object.assign(info, { metadata: { note: "x".repeat(64 * 2 ** 20) } })),
      long("part", ({ messages }) => Object.assign(messages[0]?.parts[0] ?? {}, { text: "x".repeat(64 * 2 ** 20) })),
      long("time", ({ info }) => Object.assign(info, { time: { created: 1e300, updated: -5, archived: 1e300 } })),
    )
    const storage = memoryStorage()
    const report = await importOpenCode(path, storage)
    const outcomes = report.sessions.map(({ from, outcome }) => [from, outcome])
    expect(Object.fromEntries(outcomes)).toEqual({
      ...{ ses_title: "unreadable", ses_record: "unreadable", ses_part: "added", ses_time: "added" },
    })
    const problems = report.problems.map(({ subject, message }) => `${subject}: ${message}`).join("\n")
    expect(problems).toContain("ses_title: $.title has 10,001 characters, and at most 10,000 are read.")
    expect(problems).toMatch(
      /ses_record\S*: It has 67,\d+,\d+ bytes, and at most 67,108,864 are read\. It was left out/,
    )
    expect(problems).toMatch(/prt_part00\S*: It has 67,\d+,\d+ bytes/)
    const timed = (await everything(storage)).find(
      ({ session: each }) =>
        each.metadata?.["opencode"] !== undefined && each.title === "From OpenCode" && each.time.created === 0,
    )
    expect(timed?.session.time).toEqual({ created: 0, updated: 0 })
  })

  it("is imported again where it is new or changed, and nowhere else", async () => {
    const { write } = await place()
    const storage = memoryStorage()
    const path = await write(openCodeSession("a"), openCodeSession("b"))
    await importOpenCode(path, storage)
    const revisions = async () => {
      const found: number[] = []
      for await (const { id } of storage.listSessions()) found.push((await storage.readContext(id)).revision)
      return found
    }
    expect((await importOpenCode(path, storage)).sessions.map(({ outcome }) => outcome)).toEqual([
      "unchanged",
      "unchanged",
    ])
    expect(await revisions()).toEqual([1, 1])

    const changed = openCodeSession("b", { title: "Renamed" })
    const text = changed.messages[0]?.parts[0]
    if (text) text["text"] = "Do something else"
    await write(changed, openCodeSession("c"))
    const { sessions } = await importOpenCode(path, storage)
    expect(sessions.map(({ from, outcome }) => [from, outcome])).toEqual([
      ["ses_8aa", "unchanged"],
      ["ses_8ab", "updated"],
      ["ses_8ac", "added"],
    ])
    const b = sessions[1]?.id as SessionID
    expect((await storage.getSession(b))?.title).toBe("Renamed")
    const messages = (await everything(storage)).find((each) => each.session.id === b)?.messages
    expect(messages?.at(-1)?.parts[0]).toMatchObject({ text: "Do something else" })
  })

  it("never overwrites what was gone on with in pawl", async () => {
    const { write } = await place()
    const storage = memoryStorage()
    const path = await write(openCodeSession())
    const [first] = (await importOpenCode(path, storage)).sessions
    const id = first?.id as SessionID
    const stored = await storage.getSession(id)
    if (stored) await store(storage, stored, turn(id, "on with it"))
    expect((await importOpenCode(path, storage)).sessions[0]?.outcome).toBe("unchanged")
    await write(openCodeSession("a", { title: "Renamed" }))
    const before = await everything(storage)
    expect((await importOpenCode(path, storage)).sessions[0]?.outcome).toBe("conflict")
    expect(await everything(storage)).toEqual(before)
  })

  it("makes roots of sessions that stand below each other", async () => {
    const { write } = await place()
    const inRing = [openCodeSession("a", { parentID: "ses_8ab" }), openCodeSession("b", { parentID: "ses_8aa" })]
    const path = await write(...inRing, openCodeSession("self", { parentID: "ses_8aself" }))
    const storage = memoryStorage()
    const { problems } = await importOpenCode(path, storage)
    expect((await everything(storage)).map((each) => each.session.parentID)).toEqual([undefined, undefined, undefined])
    const told = problems.filter(({ message }) => message.includes("imported as a root"))
    expect(told.map(({ subject }) => subject).toSorted()).toEqual(["ses_8aa", "ses_8ab", "ses_8aself"])
  })

  it("keeps children below their parents, and names them in calls by their new ids", async () => {
    const { write } = await place()
    const child = openCodeSession("child", { parentID: "ses_8aa" })
    const orphan = openCodeSession("orphan", { parentID: "ses_8agone" })
    const path = await write(openCodeSession("a"), child, orphan)
    const storage = memoryStorage()
    const { sessions, problems } = await importOpenCode(path, storage)
    const id = (from: string) => sessions.find((each) => each.from === from)?.id as SessionID
    expect((await storage.getSession(id("ses_8achild")))?.parentID).toBe(id("ses_8aa"))
    expect((await storage.getSession(id("ses_8aorphan")))?.parentID).toBeUndefined()
    expect(problems.find(({ subject }) => subject === "ses_8aorphan")?.message).toContain("imported as a root")
    const call = (await everything(storage))
      .find((each) => each.session.id === id("ses_8aa"))
      ?.messages.flatMap(({ parts }) => parts)
      .find((part) => part.type === "tool" && part.state.status === "completed")
    expect(call).toMatchObject({ state: { metadata: { sessionId: id("ses_8achild") } } })
  })

  it("is not changed", async () => {
    const { write } = await place()
    const path = await write(openCodeSession())
    const before = await contents(path)
    await importOpenCode(path, memoryStorage())
    expect(await contents(path)).toEqual(before)
  })

  it("maps paths, and projects by their directory", async () => {
    const { write } = await place()
    const path = await write(openCodeSession())
    const storage = memoryStorage()
    const paths = [{ from: "/home/ada", to: "/srv" }]
    await importOpenCode(path, storage, { paths, projectID: async (directory) => `project of ${directory}` })
    const { session: imported, messages } = await only(storage)
    expect(imported).toMatchObject({ directory: "/srv/code", projectID: "project of /home/ada/code" })
    expect(messages[1]?.info).toMatchObject({ path: { cwd: "/srv/code" } })
    expect(messages[1]?.parts.find(({ type }) => type === "patch")).toMatchObject({ files: ["/srv/code/a.ts"] })
  })

  it("keeps the ids of sessions where that is asked for", async () => {
    const { write } = await place()
    const storage = memoryStorage()
    const { sessions } = await importOpenCode(await write(openCodeSession()), storage, { ids: "keep" })
    expect(sessions[0]?.id).toBe("ses_8aa")
    expect(await storage.getSession("ses_8aa")).toMatchObject({ title: "From OpenCode" })
  })

  it("gives sessions their place among pawl's", async () => {
    const { write } = await place()
    const storage = memoryStorage()
    const newer = session({ title: "newer" })
    await store(storage, newer, [])
    const young = openCodeSession("b", {
      title: "2025",
      time: { created: 1_760_000_000_000, updated: 1_760_000_000_000 },
    })
    const old = openCodeSession("c", {
      title: "2023",
      time: { created: 1_680_000_000_000, updated: 1_680_000_000_000 },
    })
    await importOpenCode(await write(young, old), storage)
    const titles = (await everything(storage)).map((each) => each.session.title)
    expect(titles).toEqual(["2025", "newer", "2023"])
  })

  it("puts messages in the order of their time where OpenCode's ids began again", async () => {
    const { write } = await place()
    const given = openCodeSession()
    const [user, assistant, marker, summary] = given.messages
    if (!user || !assistant || !marker || !summary) throw new Error("The fixture has four messages.")
    const rename = (message: typeof user, id: string) => {
      message.info.id = id
      for (const part of message.parts) part["messageID"] = id
    }
    rename(marker, "msg_00aa0001")
    rename(summary, "msg_00aa0002")
    summary.info["parentID"] = marker.info.id
    const storage = memoryStorage()
    const path = await write(given)
    await importOpenCode(path, storage)
    const { session: imported, messages } = await only(storage)
    expect(messages.map(({ parts }) => parts[0]?.type)).toEqual(["text", "step-start", "compaction", "text"])
    expect(messages[1]?.info).toMatchObject({ parentID: messages[0]?.info.id })
    expect(imported.boundary).toBe(messages[0]?.info.id)
    expect((await importOpenCode(path, storage)).sessions[0]?.outcome).toBe("unchanged")
  })

  it("fills in what older versions did not say", async () => {
    const { write } = await place()
    const given = openCodeSession()
    const [user, assistant] = given.messages
    if (!user || !assistant) throw new Error("The fixture has four messages.")
    for (const name of ["agent", "model", "summary"]) delete user.info[name]
    for (const name of ["parentID", "agent", "path", "cost", "tokens"]) delete assistant.info[name]
    assistant.info["system"] = ["You are"]
    for (const part of assistant.parts) if (part["type"] === "text" || part["type"] === "reasoning") delete part["time"]
    given.messages = [user, assistant]
    const storage = memoryStorage()
    const { problems } = await importOpenCode(await write(given), storage)
    expect(problems).toHaveLength(1)
    const { messages } = await only(storage)
    expect(messages[0]?.info).toMatchObject({ agent: "build", model: { providerID: "acme", modelID: "large" } })
    expect(messages[1]?.info).toMatchObject({
      parentID: user.info.id,
      agent: "build",
      path: { cwd: "/home/ada/code" },
      cost: 0,
      tokens: { input: 0, cache: { read: 0 } },
      system: ["You are"],
    })
    const completed = (assistant.info["time"] as { completed: number }).completed
    expect(messages[1]?.parts.find(({ type }) => type === "text")).toMatchObject({ time: { end: completed } })
  })

  it("stops where the signal says so, and tells how far it is", async () => {
    const { write } = await place()
    const path = await write(openCodeSession("a"), openCodeSession("b"))
    const seen: number[][] = []
    await importOpenCode(path, memoryStorage(), { onProgress: (...progress) => void seen.push(progress) })
    expect(seen).toEqual([
      [0, 2],
      [1, 2],
      [2, 2],
    ])
    const signal = AbortSignal.abort(new Error("enough"))
    await expect(importOpenCode(path, memoryStorage(), { signal })).rejects.toThrow("enough")
  })

  it(`passes over what is damaged in a ${kind}`, async () => {
    const { path, write } = await place()
    const given = openCodeSession()
    await write(given, openCodeSession("b"))
    const [user, assistant] = given.messages
    const [message, part] = [user?.info.id ?? "", assistant?.parts[2]?.id ?? ""]
    if (kind === "database") {
      const db = openCodeDatabase(path)
      db.prepare("UPDATE message SET data = '{' WHERE id = ?").run(message)
      db.prepare("UPDATE part SET data = '7' WHERE id = ?").run(part)
      db.prepare("UPDATE session SET summary_diffs = '[', permission = '{}' WHERE id = 'ses_8ab'").run()
      db.close()
    } else {
      await writeFile(join(path, "message", "ses_8aa", `${message}.json`), "{")
      await writeFile(join(path, "part", assistant?.info.id ?? "", `${part}.json`), "7")
      await writeFile(join(path, "session", "f00d", "ses_8ac.json"), "")
    }
    const storage = memoryStorage()
    const { sessions, messages, parts, problems } = await importOpenCode(path, storage)
    expect(sessions.slice(0, 2).map(({ outcome }) => outcome)).toEqual(["added", "added"])
    expect({ messages, parts }).toEqual({ messages: 7, parts: 18 - 5 + 18 })
    const subjects = problems.map(({ subject }) => subject.replace(/^.*\//, "").replace(".json", ""))
    expect(subjects).toEqual(expect.arrayContaining([message, part]))
    if (kind === "tree") expect(sessions[2]?.outcome).toBe("unreadable")
    else expect(subjects).toEqual(expect.arrayContaining(["ses_8ab.summary_diffs", "ses_8ab.permission"]))
  })
})

describe("OpenCode's database", () => {
  it("is read while OpenCode has it open, with what stands in the log only", async () => {
    const { path } = await database()
    const db = openCodeDatabase(path)
    writeSession(db, openCodeSession())
    const { sessions } = await importOpenCode(path, memoryStorage())
    expect(sessions).toHaveLength(1)
    writeSession(db, openCodeSession("b"))
    db.exec("BEGIN IMMEDIATE")
    expect((await importOpenCode(path, memoryStorage())).sessions).toHaveLength(2)
    db.exec("COMMIT")
    expect(db.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get()).toMatchObject({ busy: 0 })
    db.close()
  })

  it("removes nothing that was said in what an interrupted import left", async () => {
    const { write } = await database()
    const path = await write(openCodeSession())
    const storage = memoryStorage()
    await importOpenCode(path, storage)
    const { session: imported } = await only(storage)
    const unfinished = { ...imported, metadata: { ...imported.metadata, unfinishedTransfer: true } }
    await store(storage, unfinished, turn(imported.id, "only here"))
    expect((await importOpenCode(path, storage)).sessions[0]?.outcome).toBe("conflict")
  })

  it("may change while it is read: the next import finds what is new, and no conflict", async () => {
    const { path, write } = await database()
    await write(openCodeSession())
    const storage = memoryStorage()
    let isChanged = false
    const getSession: Storage["getSession"] = async (id) => {
      const stored = await storage.getSession(id)
      const changed = openCodeSession()
      const text = changed.messages[0]?.parts[0]
      if (text) text["text"] = "Said meanwhile"
      if (!isChanged) await write(changed)
      isChanged = true
      return stored
    }
    expect((await importOpenCode(path, { ...storage, getSession })).sessions[0]?.outcome).toBe("added")
    await write(openCodeSession("a", { title: "Later" }))
    expect((await importOpenCode(path, storage)).sessions[0]?.outcome).toBe("updated")
    expect((await only(storage)).session.title).toBe("Later")
  })

  it("is told from another program's", async () => {
    const path = join(await directory(), "opencode.db")
    await writeFile(path, "no database at all, only a text that is long enough to be looked at ".repeat(4))
    await expect(importOpenCode(path, memoryStorage())).rejects.toThrow("is a SQLite database")
    const { DatabaseSync } = process.getBuiltinModule("node:sqlite")
    const other = join(await directory(), "x.db")
    const db = new DatabaseSync(other)
    db.exec("CREATE TABLE session (id)")
    db.close()
    await expect(importOpenCode(other, memoryStorage())).rejects.toThrow("is not a database of OpenCode 1.x")
  })

  it.skipIf(process.getuid?.() === 0)("is read where its directory cannot be written", async () => {
    const { path, write } = await database()
    await write(openCodeSession())
    await chmod(join(path, ".."), 0o500)
    const { sessions } = await importOpenCode(path, memoryStorage())
    await chmod(join(path, ".."), 0o700)
    expect(sessions).toHaveLength(1)
  })
})

describe("the usual places", () => {
  it("are those that OpenCode uses, database and older files together", async () => {
    const home = await directory()
    const place = join(home, "opencode")
    await mkdir(place)
    writeAll(join(place, "opencode.db"), [openCodeSession("a", { title: "In the database" })])
    await writeTree(join(place, "storage"), openCodeSession("a", { title: "As it was before" }))
    await writeTree(join(place, "storage"), openCodeSession("b"))
    for (const environment of [
      { XDG_DATA_HOME: home },
      { HOME: "/nonexistent", XDG_DATA_HOME: home, OPENCODE_DB: "opencode.db" },
    ]) {
      const storage = memoryStorage()
      const report = await importOpenCode(undefined, storage, { environment })
      expect(report.locations).toEqual([join(place, "opencode.db"), join(place, "storage")])
      expect(report.sessions.map(({ from }) => from)).toEqual(["ses_8aa", "ses_8ab"])
      expect((await everything(storage)).map((each) => each.session.title)).toContain("In the database")
    }
  })

  it("are named where there is nothing", async () => {
    const home = await directory()
    const importing = importOpenCode(undefined, memoryStorage(), { environment: { HOME: home } })
    await expect(importing).rejects.toThrow(`no record of OpenCode at ${join(home, ".local", "share", "opencode")}`)
    await expect(importOpenCode(join(home, "x"), memoryStorage())).rejects.toThrow("Give the path")
  })
})

describe("OpenCode's export document", () => {
  it("is imported as the database would be", async () => {
    const { write } = await database()
    const given = openCodeSession()
    const storage = memoryStorage()
    const document: unknown = JSON.parse(JSON.stringify(given))
    const report = await importSession(storage, document)
    expect(report).toMatchObject({
      sessions: [{ from: "ses_8aa", outcome: "added" }],
      messages: 4,
      parts: 18,
      blobs: 0,
    })
    expect(report.warnings).toHaveLength(1)
    expect((await importSession(storage, document)).sessions[0]?.outcome).toBe("unchanged")
    const again = await importOpenCode(await write(given), storage)
    expect(again.sessions[0]?.id).toBe(report.sessions[0]?.id)
    expect(again.sessions[0]?.outcome).not.toBe("conflict")
  })

  it("brings no rule that allows, no system prompt and no open call, and says so", async () => {
    const given = openCodeSession()
    const rule = (action: string) => ({ permission: "bash", pattern: "*", action })
    const head = { model: "acme/large", agent: "build", prompt: "Obey.", environment: "", instructions: [] }
    const [user, assistant] = given.messages
    Object.assign(given.info, { permission: [rule("allow"), rule("deny")] })
    Object.assign(user?.info ?? {}, { system: "Obey.", tools: { bash: true, edit: false } })
    assistant?.parts.push({ id: "prt_zz", type: "step-start", head })
    const fromDocument = memoryStorage()
    const { write } = await database()
    const fromDatabase = memoryStorage()

    const report = await importSession(fromDocument, JSON.parse(JSON.stringify(given)))
    const read = await importOpenCode(await write(given), fromDatabase)

    for (const [storage, { dropped }] of [
      [fromDocument, report],
      [fromDatabase, read],
    ] as const) {
      const { session: imported, messages } = await only(storage)
      expect(imported.permission).toEqual([rule("deny")])
      expect(JSON.stringify(messages)).not.toContain("Obey.")
      expect(messages[0]?.info).toMatchObject({ tools: { edit: false } })
      expect(dropped.map(({ kind }) => kind).toSorted()).toEqual(["call", "call", "rule", "system", "system", "tool"])
    }
  })

  it("goes out again as pawl's own", async () => {
    const storage = memoryStorage()
    const { sessions } = await importSession(storage, openCodeSession())
    const target = memoryStorage()
    await importSession(target, JSON.parse(JSON.stringify(await exportSession(storage, sessions[0]?.id as SessionID))))
    expect(await everything(target)).toEqual(await everything(storage))
  })

  it("is refused where it names no session, and loses no more than what is no message", async () => {
    const storage = memoryStorage()
    await expect(importSession(storage, { info: { title: "x" }, messages: [] })).rejects.toThrow(DocumentError)
    const { info, messages } = openCodeSession()
    const report = await importSession(storage, {
      info,
      messages: [7, ...messages, { info: { id: "msg_98", role: "ghost" } }],
    })
    expect(report).toMatchObject({ messages: 4 })
    expect(report.warnings.toSorted()).toEqual([
      "$.messages[0]: It is not a message and was left out.",
      'msg_98: A message of role "ghost" whose shape is not known was left out.',
      expect.stringContaining("hologram"),
    ])
  })
})

/** Every file with its bytes, but for what any reader of a database makes beside it. */
async function contents(path: string): Promise<Record<string, string>> {
  if ((await stat(path)).isFile()) return { [path]: (await readFile(path)).toString("base64") }
  const files = await readdir(path, { recursive: true, withFileTypes: true })
  const read = files.filter((file) => file.isFile()).map((file) => join(file.parentPath, file.name))
  return Object.fromEntries(await Promise.all(read.map(async (file) => [file, await readFile(file, "utf8")])))
}
