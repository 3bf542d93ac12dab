import { setImmediate as nextTurn } from "node:timers/promises"
import { matchesWords, type PartID, searchWords } from "@pawl/core/storage"
import { messageID, partID, sampleSession, sampleText, sampleUserMessage, sessionID } from "@pawl/storage-testkit"
import { expect, it } from "vitest"
import { collect, openRaw, openStorage, temporaryFile } from "../../test/place.ts"
import type { SqliteStorage } from "../sqlite-storage.ts"

const sessions = [sessionID(1), sessionID(2), sessionID(3)]
const directoryOf = (index: number) => `/srv/${index % 2}`

async function open() {
  const path = temporaryFile()
  const storage = await openStorage(path, { durability: "async" })
  for (const [index, id] of sessions.entries()) {
    await storage.commit(id, [
      { type: "session.put", session: sampleSession(id, { directory: directoryOf(index) }) },
      { type: "message.put", message: sampleUserMessage(id, messageID(1)) },
    ])
  }
  return { path, storage, raw: openRaw(path) }
}

async function store(storage: SqliteStorage, number: number, text: string): Promise<void> {
  const session = sessions[number % sessions.length] ?? sessionID(1)
  const part = sampleText(session, messageID(1), partID(number), { text })
  await storage.commit(session, [{ type: "part.put", part }])
}

const find = async (storage: SqliteStorage, text: string, query = {}): Promise<PartID[]> =>
  (await collect(storage.search({ text, ...query }))).map((hit) => hit.partID)

it("finds in every volume what a look at each text finds, by any way of asking the index", async () => {
  const { storage, raw } = await open()
  // Words with common beginnings, of which some begin more words than are asked for one by one.
  const texts = Array.from({ length: 240 }, (_, index) => {
    const words = ["common", `alpha${index}`, `a${index % 7}`, `be${index % 50}ta`]
    return [...words, ...(index % 60 === 0 ? ["rare"] : []), "漢字", "café"].join(" ")
  })
  for (const [index, text] of texts.entries()) {
    await store(storage, index, text)
    if (index % 80 !== 79) continue
    await find(storage, "common")
    raw.exec("UPDATE search_volume SET words = words + 10000000")
  }
  expect(raw.prepare("SELECT count(*) AS count FROM search_volume").get()).toEqual({ count: 3 })

  const queries = [
    "common",
    "co",
    "c",
    "a",
    "al",
    "alpha1",
    "alpha12",
    "b",
    "be1",
    "rare",
    "rare a",
    "rare be",
    "a b c",
  ]
  for (const query of [...queries, "a3 be4", "common absent", "zz", "漢", "CAFÉ", "cafe", "rare alpha60 common"]) {
    const wanted = searchWords(query)
    for (const scope of [undefined, 0, 1]) {
      const expected = texts.flatMap((text, index) => {
        const isAsked = scope === undefined || (index % sessions.length) % 2 === scope
        return isAsked && matchesWords(searchWords(text), wanted) ? partID(index) : []
      })
      const directory = scope === undefined ? {} : { directory: directoryOf(scope) }
      expect(await find(storage, query, directory)).toEqual(expected.toReversed())
      expect(await find(storage, query, { ...directory, limit: 3 })).toEqual(expected.toReversed().slice(0, 3))
    }
  }
})

it("keeps words whole that a tokenizer of SQLite would fold or part", async () => {
  const { storage } = await open()
  const words = [
    "straße",
    "naïve",
    "ſharp",
    "İstanbul",
    "\u{1e900}\u{1e901}",
    "e\u0301te\u0301",
    "१२३",
    "x".repeat(100),
  ]
  for (const [index, word] of words.entries()) await store(storage, index, word)
  for (const [index, word] of words.entries()) expect(await find(storage, word)).toEqual([partID(index)])
  expect(await find(storage, "strasse")).toEqual([])
})

it("finds a word that is cut within a character", async () => {
  const { storage } = await open()
  const word = `${"x".repeat(63)}\u{1e922}\u{1e923}`
  await store(storage, 1, word)
  expect(await find(storage, word)).toEqual([partID(1)])
})

it("takes in what was committed in batches that let others write", async () => {
  const { storage } = await open()
  const text = Array.from({ length: 3000 }, (_, index) => `word${index}`).join(" ")
  for (let number = 0; number < 12; number++) await store(storage, number, text)
  const search = find(storage, "word2999")
  const order: string[] = []
  await Promise.all([
    search.then(() => order.push("found")),
    store(storage, 99, "other").then(() => order.push("committed")),
  ])
  expect(order).toEqual(["committed", "found"])
  expect(await search).toHaveLength(12)
})

it("writes nothing when there is nothing new", async () => {
  const { storage, raw } = await open()
  await store(storage, 1, "hello")
  await find(storage, "hello")
  const version = () => raw.prepare("PRAGMA data_version").get()
  const before = version()
  await find(storage, "hello")
  expect(version()).toEqual(before)
})

it("passes over parts that cannot be read", async () => {
  const { storage, raw } = await open()
  for (const number of [1, 2, 3]) await store(storage, number, "hello")
  raw.exec(`UPDATE record SET data = '{' WHERE part_id = '${partID(2)}'`)
  expect(await find(storage, "hello")).toEqual([partID(3), partID(1)])
  raw.exec(`UPDATE record SET data = '[]' WHERE part_id = '${partID(3)}'`)
  expect(await find(storage, "hello")).toEqual([partID(1)])
})

it("gives the same answers while the index is made anew", async () => {
  const { path, storage, raw } = await open()
  const other = await openStorage(path)
  for (let number = 0; number < 60; number++) {
    await store(storage, number, "hello")
    if (number % 20 !== 19) continue
    await find(storage, "hello")
    raw.exec("UPDATE search_volume SET words = words + 10000000")
  }
  const expected = await find(storage, "hello")
  const answers: PartID[][] = []
  const asking = (async () => {
    for (const each of [storage, other, storage, other, storage, other]) {
      answers.push(await find(each, "hello"))
      await nextTurn()
    }
  })()
  await Promise.all([storage.rebuild(), asking])
  expect(answers).toEqual(answers.map(() => expected))
  expect(await find(other, "hello")).toEqual(expected)
  const tables = raw.prepare(
    "SELECT count(*) AS count FROM sqlite_schema WHERE sql LIKE 'CREATE VIRTUAL TABLE search%'",
  )
  expect(tables.get()).toEqual({ count: 2 })
})
