import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it, onTestFinished } from "vitest"
import { constants, Database } from "../modules/bun-sqlite.ts"

it("keeps and gives rows as Bun does", async () => {
  using database = new Database()
  expect(database.run("CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT, c BLOB); CREATE INDEX i ON t (b)")).toEqual({
    ...{ changes: 0, lastInsertRowid: 0 },
  })
  const put = database.query("INSERT INTO t (b, c) VALUES ($b, $c)")
  expect(put.run({ $b: "one", $c: new Uint8Array([1]) })).toEqual({ changes: 1, lastInsertRowid: 1 })
  put.run({ b: "two", c: null })
  database.run("INSERT INTO t (b) VALUES (?), (?)", ["three", undefined])
  expect(database.query("INSERT INTO t (b, c) VALUES (?, ?)").run(true, false)).toMatchObject({ lastInsertRowid: 5 })
  expect(database.query("SELECT b FROM t WHERE a = ?").get(1)).toStrictEqual({ b: "one" })
  expect(database.query("SELECT b FROM t WHERE a = ?").get(99)).toBe(null)
  expect(database.query("SELECT a, b FROM t WHERE a > ? ORDER BY a").values(2)).toEqual([
    ...[
      [3, "three"],
      [4, null],
      [5, "1"],
    ],
  ])
  expect(database.query("SELECT a FROM t").all()).toHaveLength(5)
  expect([...database.prepare("SELECT a FROM t ORDER BY a LIMIT 2").iterate()]).toEqual([{ a: 1 }, { a: 2 }])
  expect(database.query("SELECT 1")).toBe(database.query("SELECT 1"))
  expect(database.prepare("SELECT a, b FROM t").columnNames).toEqual(["a", "b"])
  expect(() => database.run("SELEC")).toThrow("syntax error")
})

it("does the work of a transaction wholly or not at all, each of several within another by itself", () => {
  using database = new Database()
  database.exec("CREATE TABLE t (a)")
  const put = database.transaction((...values: number[]) => {
    for (const value of values) {
      database.run("INSERT INTO t VALUES (?)", value)
      if (value < 0) throw new Error("No.")
    }
    return values.length
  })
  expect(put(1, 2)).toBe(2)
  expect(() => put.immediate(3, -1)).toThrow("No.")
  const outer = database.transaction(() => {
    put(4)
    expect(() => put(5, -1)).toThrow("No.")
    expect(database.inTransaction).toBe(true)
  })
  outer()
  expect(database.query("SELECT a FROM t").values().flat()).toEqual([1, 2, 4])
  expect(database.inTransaction).toBe(false)
})

it("opens files, and only to read where that is asked", async () => {
  const directory = await mkdtemp(join(tmpdir(), "pawl-sqlite-"))
  onTestFinished(() => rm(directory, { recursive: true }))
  const path = join(directory, "a.db")
  const database = Database.open(path, { create: true })
  database.run("CREATE TABLE t (a)")
  database.close()
  database.close()
  for (const how of [{ readonly: true }, constants.SQLITE_OPEN_READONLY]) {
    using reader = new Database(path, how)
    expect(reader.query("SELECT count(*) AS n FROM t").get()).toEqual({ n: 0 })
    expect(() => reader.run("INSERT INTO t VALUES (1)")).toThrow("readonly")
  }
  expect(() => new Database(join(directory, "none.db"), { readonly: true })).toThrow("unable to open")
})
