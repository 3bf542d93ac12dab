import { StorageError } from "@pawl/core/storage"
import { expect, it } from "vitest"
import { parseLocation, parseOptions } from "./location.ts"
import { openStorage } from "./postgres-storage.ts"

it("names a server without its password", () => {
  expect(parseLocation("postgres://ada:secret@db.example:5433/pawl?sslmode=require").name).toBe(
    "postgres://ada@db.example:5433/pawl",
  )
  expect(parseLocation("postgresql:///pawl?host=/run/postgresql").name).toBe("postgres:///run/postgresql/pawl")
})

it("takes its own parameters out of the URL", () => {
  const listen = "postgres://ada@direct/pawl"
  expect(
    parseOptions(
      `postgres://ada@pooler/pawl?schema=team&pool_size=3&prepared_statements=true&connect_timeout=5&listen=${encodeURIComponent(listen)}`,
    ),
  ).toEqual({
    url: "postgres://ada@pooler/pawl?connect_timeout=5",
    openTimeout: 5000,
    schema: "team",
    poolSize: 3,
    preparedStatements: true,
    listenURL: listen,
  })
  expect(parseOptions("postgres://ada@pooler/pawl?listen=off").listenURL).toBe(false)
})

it.each([
  ["another kind of URL", "sqlite:/pawl.db", "is not the URL of a PostgreSQL database"],
  ["no URL", "pawl", 'Write "postgres://user:password@host:5432/database"'],
  ["no host", "postgres:///pawl", "names no host"],
  ["a wrong port", "postgres://ada:secret@host:99999/pawl", "is not the URL"],
  ["a password with a slash", "postgres://ada:sec/ret@host:x/pawl", "is not the URL"],
  ["a missing colon", "postgres//ada:secret@host/pawl", '"postgres//ada:…@host/pawl" is not the URL'],
  ["a missing slash", "postgres:/ada:secret@host", "names no host"],
  ["a missing scheme", "ada:secret@host/pawl", "is not the URL"],
  ["a missing host", "postgres://ada:secret", "is not the URL"],
  ["a password among the parameters", "mysql://host/pawl?password=a@secret", "is not the URL"],
  ["settings instead of a URL", "host=db password=secret", "is not the URL"],
  ["a pool of no size", "postgres://host/pawl?pool_size=0", "pool_size=0"],
  ["a time that is no number", "postgres://host/pawl?connect_timeout=5s", "connect_timeout=5s"],
  ["what is neither true nor false", "postgres://host/pawl?prepared_statements=1", "not true or false"],
])("refuses %s and says what is right, without the password", async (_what, url, message) => {
  const opening = openStorage(url)
  await expect(opening).rejects.toThrow(StorageError)
  await expect(opening).rejects.toThrow(message)
  await expect(opening).rejects.not.toThrow(/secret|sec\/ret/)
})
