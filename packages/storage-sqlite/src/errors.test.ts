import { chmodSync } from "node:fs"
import { dirname } from "node:path"
import { NotFoundError, StaleLeaseError, StorageError } from "@pawl/core/storage"
import { expect, it } from "vitest"
import { startChild } from "../test/child.ts"
import { temporaryFile } from "../test/place.ts"
import { busyError, isBusy, toStorageError } from "./errors.ts"

const path = "/home/me/pawl.db"
const failure = (message: string, codes: { errcode?: number; code?: string }) =>
  Object.assign(new Error(message), codes)

it.each([
  [13, "The disk that holds /home/me/pawl.db is full. Free some space and try again: what was committed is there."],
  [
    11,
    "/home/me/pawl.db is damaged (what SQLite says). It was left as it is. Move it away together with " +
      "pawl.db-wal and pawl.db-shm, if they exist; then restore a backup or start with an empty storage.",
  ],
  [26, "/home/me/pawl.db is damaged (what SQLite says)."],
  [8, "/home/me/pawl.db cannot be opened for writing (what SQLite says). Give this user the right to write the file"],
  [14, "/home/me/pawl.db cannot be opened for writing"],
  [10, "/home/me/pawl.db could not be read or written (what SQLite says). Check the disk"],
  [3850, "on a network file system SQLite's locks do not work"],
  [15, "on a network file system SQLite's locks do not work"],
  [18, "/home/me/pawl.db cannot hold this"],
  [1, "/home/me/pawl.db could not be used: what SQLite says."],
])("explains SQLite's code %i", (errcode, message) => {
  const error = toStorageError(failure("what SQLite says", { errcode }), path)
  expect(error).toBeInstanceOf(StorageError)
  expect(error.message).toContain(message)
})

it.each([
  ["ENOSPC", "The disk that holds /home/me/pawl.db is full."],
  ["EACCES", "/home/me/pawl.db cannot be opened for writing (why). Give this user the right"],
  ["EROFS", "/home/me/pawl.db cannot be opened for writing (why)."],
  ["ENOTDIR", "/home/me/pawl.db could not be made (why). Use another data directory."],
])("explains the system's %s", (code, message) => {
  expect(toStorageError(failure("why", { code }), path).message).toContain(message)
})

it("passes the errors of the contract as they are", () => {
  for (const error of [new NotFoundError("a"), new StaleLeaseError("b"), new StorageError("c")]) {
    expect(toStorageError(error, path)).toBe(error)
  }
})

it("passes the mistakes of a program as they are", () => {
  const mistakes = [
    new TypeError("x"),
    failure("cannot be bound", { code: "ERR_INVALID_ARG_TYPE" }),
    new RangeError("y"),
  ]
  for (const error of mistakes) expect(toStorageError(error, path)).toBe(error)
})

it("keeps the cause", () => {
  const cause = failure("why", { errcode: 10 })
  expect(toStorageError(cause, path).cause).toBe(cause)
})

it("knows a lock by its code, extended ones too", () => {
  expect([5, 261, 517, 6, 0].map((errcode) => isBusy(failure("", { errcode })))).toEqual([
    true,
    true,
    true,
    false,
    false,
  ])
  expect(busyError(path, 10_020, undefined).message).toContain("a write lock on /home/me/pawl.db, for 10 s now.")
})

// Root may write everything, so the file is opened as another user then.
const user = process.getuid?.() === 0 ? ["65534"] : []

it.runIf(process.platform !== "win32")("says what to do about a directory in which no file can be made", async () => {
  const missing = temporaryFile()
  chmodSync(dirname(missing), 0o555)
  const child = startChild("open.ts", [missing, ...user])
  const line = (await child.lines.next()).value
  chmodSync(dirname(missing), 0o755)
  expect(line).toMatch(/^StorageError: .*pawl\.db cannot be opened for writing \(EACCES/)
})
