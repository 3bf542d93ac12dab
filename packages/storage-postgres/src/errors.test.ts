import { NotFoundError, StorageError } from "@pawl/core/storage"
import { expect, it } from "vitest"
import { isPassing, leavesConnection, toStorageError } from "./errors.ts"

const failure = (code: string, message = "what the server said") => Object.assign(new Error(message), { code })

it.each([
  ["28P01", "refused the password. Correct it"],
  ["3D000", "Create it with createdb"],
  ["28000", "Check the user of the URL"],
  ["42501", "Grant CREATE on the database"],
  ["53100", "has no space left on its disk. Free some"],
  ["53300", "Lower pool_size"],
  ["25006", "Use the URL of the primary"],
  ["57P03", "could not be reached for 7 s"],
  ["ECONNREFUSED", "could not be reached for 7 s"],
  ["ENOTFOUND", "Correct the host of the URL"],
  ["42P01", "lost pawl's tables"],
  ["XX001", "is damaged"],
  ["57014", "gave a statement up (what the server said); nothing was written"],
  ["55P03", "gave a statement up (what the server said); nothing was written"],
  ["22021", "failed: what the server said (22021)"],
])("names the server and the next step for %s", (code, text) => {
  const error = toStorageError(failure(code), "postgres://host/db", 7000)
  expect(error).toBeInstanceOf(StorageError)
  expect(error.message).toContain(`postgres://host/db ${text}`.slice(0, 19))
  expect(error.message).toContain(text)
  expect(error.cause).toMatchObject({ code })
})

it("does not send anybody to a server that answers too late", () => {
  const error = toStorageError(new Error("Query read timeout"), "postgres://host/db", 30_000)
  expect(error.message).toContain("postgres://host/db did not answer in time. Another process may hold a lock")
})

it("wants encryption where the server does", () => {
  const error = failure("28000", 'no pg_hba.conf entry for host "10.0.0.1", no encryption')
  expect(toStorageError(error, "postgres://host/db").message).toContain("Add ?sslmode=require")
})

it("lets the contract's errors and a program's mistakes pass", () => {
  for (const error of [new NotFoundError("Session ses_1 does not exist."), new TypeError("x is not a function")]) {
    expect(toStorageError(error, "postgres://host/db")).toBe(error)
    expect(isPassing(error)).toBe(false)
  }
})

it("tries again what a server that is away or full may answer later, on a new connection", () => {
  for (const code of ["57P01", "57P03", "08006", "ECONNRESET", "53300", "40P01"])
    expect(isPassing(failure(code))).toBe(true)
  expect(isPassing(new Error("Connection terminated unexpectedly"))).toBe(true)
  expect(isPassing(new Error("Query read timeout"))).toBe(true)
  for (const code of ["28P01", "3D000", "42601", "53100"]) expect(isPassing(failure(code))).toBe(false)
  expect(["57P01", "ECONNRESET", "40P01", "23505"].map((code) => leavesConnection(failure(code)))).toEqual([
    false,
    false,
    true,
    true,
  ])
})
