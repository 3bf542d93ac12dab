import { StorageError } from "@pawl/core/storage"
import { expect, it, onTestFinished } from "vitest"
import { noServer, openRaw, serverURL } from "../test/place.ts"
import { type Connection, openConnection } from "./connection.ts"

async function open(): Promise<Connection> {
  const connection = await openConnection({ url: serverURL, poolSize: 1 })
  onTestFinished(() => connection.close())
  return connection
}

/** Keeps rows, and counts how often it was begun. */
function collecting() {
  const begun: number[][] = []
  const begin = () => {
    const rows: number[] = []
    begun.push(rows)
    return { rows, add: ({ n }: { readonly n: number }) => void rows.push(n) }
  }
  return { begun, begin }
}

it.skipIf(noServer)("reads each row as it comes, before the statement has ended", async () => {
  const connection = await open()
  const { begun, begin } = collecting()
  const failing = connection.read("SELECT 6 / ($1::int - n) AS n FROM generate_series(1, $1::int) n", [4], begin)
  await expect(failing).rejects.toThrow(/division by zero/)
  expect(begun).toEqual([[2, 3, 6]])
  const { rows } = await connection.read("SELECT n FROM generate_series(1, $1::int) n", [3], collecting().begin)
  expect(rows).toEqual([1, 2, 3])
})

it.skipIf(noServer)("begins anew when the statement is sent again", async () => {
  const connection = await open()
  const raw = await openRaw()
  const name = `fails_once_${process.pid}`
  await raw.query(`CREATE SEQUENCE ${name};
    CREATE FUNCTION ${name}(n int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN
      IF n = 3 AND nextval('${name}') = 1 THEN RAISE EXCEPTION 'once' USING ERRCODE = '40001'; END IF;
      RETURN n; END $$`)
  onTestFinished(async () => {
    const client = await openRaw()
    await client.query(`DROP FUNCTION ${name}; DROP SEQUENCE ${name}`)
  })
  const { begun, begin } = collecting()
  const { rows } = await connection.read(`SELECT ${name}(n) AS n FROM generate_series(1, $1::int) n`, [4], begin)
  expect(rows).toEqual([1, 2, 3, 4])
  expect(begun).toEqual([
    [1, 2],
    [1, 2, 3, 4],
  ])
})

it.skipIf(noServer)("rejects with what reading a row threw, and goes on with the connection", async () => {
  const connection = await open()
  const begin = () => ({
    add() {
      throw new StorageError("unreadable")
    },
  })
  await expect(connection.read("SELECT n FROM generate_series(1, $1::int) n", [3], begin)).rejects.toThrow("unreadable")
  expect(await connection.query("SELECT 1 AS one")).toEqual([{ one: 1 }])
})
