import { spawnSync } from "node:child_process"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it, onTestFinished } from "vitest"
import { listening, TOKEN } from "../test/listening.ts"
import { connect, NoServerError } from "./index.ts"

async function dataDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "pawl-data-"))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  return directory
}

async function announce(data: string, address: string, pid: number | undefined = process.pid): Promise<string> {
  const tokenPath = join(data, "serve-token")
  await writeFile(tokenPath, `${TOKEN}\n`)
  await writeFile(join(data, "serve.json"), JSON.stringify({ address, pid, directory: "/", tokenPath }))
  return tokenPath
}

it("finds the running server and its token in the data directory", async () => {
  const { address } = await listening()
  const data = await dataDirectory()
  await announce(data, address)
  const client = await connect({ environment: { PAWL_DATA_DIR: data } })
  expect(client.options).toMatchObject({ url: address, token: TOKEN })
  expect(await client.call("session.list", {})).toEqual([])
})

it("uses the address and the token that are given", async () => {
  const { address } = await listening()
  const data = await dataDirectory()
  const client = await connect({ url: address, token: TOKEN, dataDirectory: data })
  expect(await client.call("session.list", {})).toEqual([])
  await expect(connect({ url: address, token: "another", dataDirectory: data })).rejects.toMatchObject({ status: 401 })
})

it("says how to start a server if none runs or answers", async () => {
  const data = await dataDirectory()
  await expect(connect({ dataDirectory: data })).rejects.toThrow(NoServerError)
  const { address, stop } = await listening()
  await announce(data, address)
  await stop()
  await expect(connect({ dataDirectory: data })).rejects.toThrow(`No server answers at ${address}`)
})

it("sends no token to the port of a server that is dead", async () => {
  const { address } = await listening()
  const data = await dataDirectory()
  const ended = spawnSync(process.execPath, ["--eval", ""])
  await announce(data, address, ended.pid)
  await expect(connect({ dataDirectory: data })).rejects.toThrow("No server of this user is running")
})
