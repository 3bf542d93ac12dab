import { join } from "node:path"
import { expect, it } from "vitest"
import { listening, TOKEN } from "../test/listening.ts"
import { createClient, ServerError } from "./index.ts"

it("calls operations with path, query and body, and returns typed answers", async () => {
  const { address: url, directory } = await listening()
  const client = createClient({ url, token: TOKEN })
  const session = await client.call("session.create", { body: { title: "One & two" } })
  expect(session).toMatchObject({ title: "One & two", directory })
  const path = { sessionID: session.id }
  const answer = await client.call("session.prompt", { path, body: { parts: [{ type: "text", text: "Hi" }] } })
  expect(answer.parts).toContainEqual(expect.objectContaining({ type: "text", text: "Done." }))
  const [newest, ...others] = await client.call("session.messages", { path, query: { limit: 1 } })
  expect([newest?.info.id, others]).toEqual([answer.info.id, []])
  expect(await client.call("session.list", { query: { search: "& two" } })).toMatchObject([{ id: session.id }])
  expect(await client.call("session.list", { query: { search: "three" } })).toEqual([])
})

it("returns nothing for an answer without content", async () => {
  const { address: url } = await listening()
  const client = createClient({ url, token: TOKEN })
  const { id } = await client.call("session.create", { body: {} })
  const body = { parts: [{ type: "text" as const, text: "Hi" }] }
  expect(await client.call("session.prompt_async", { path: { sessionID: id }, body })).toBeUndefined()
})

it("sends the directory of the client, or that of the call", async () => {
  const one = await listening()
  const other = await listening()
  const client = createClient({ url: one.address, token: TOKEN, directory: other.directory })
  expect(await client.call("path.get", {})).toMatchObject({ directory: other.directory })
  expect(await client.call("path.get", {}, { directory: one.directory })).toMatchObject({ directory: one.directory })
})

it("rejects with the name, status and message of a refusal", async () => {
  const { address: url } = await listening()
  const client = createClient({ url, token: TOKEN })
  const missing = client.call("session.get", { path: { sessionID: "ses_unknown" } })
  await expect(missing).rejects.toMatchObject({ name: "NotFoundError", status: 404 })
  await expect(missing).rejects.toBeInstanceOf(ServerError)
  const stranger = createClient({ url, token: "another" }).call("session.list", {})
  await expect(stranger).rejects.toMatchObject({ name: "Unauthorized", status: 401 })
})

it("encodes names in the path", async () => {
  const { address: url } = await listening()
  const client = createClient({ url, token: TOKEN })
  const odd = client.call("session.get", { path: { sessionID: "ses_../x?y#z" } })
  await expect(odd).rejects.toMatchObject({ status: 400, message: expect.stringContaining("ses_../x?y#z") })
  await expect(client.call("session.get", { path: { sessionID: ".." } })).rejects.toThrow(TypeError)
})

it("ends a call when its signal aborts", async () => {
  const { address: url } = await listening()
  const signal = AbortSignal.abort()
  await expect(createClient({ url, token: TOKEN }).call("session.list", {}, { signal })).rejects.toMatchObject({
    name: "AbortError",
  })
})

it.skipIf(process.platform === "win32")("speaks over a unix socket without a token", async () => {
  const { directory } = await listening()
  const socket = join(directory, "pawl.sock")
  const { address } = await listening({ target: { socket } })
  expect(address).toBe(socket)
  expect(await createClient({ socket }).call("global.health", {})).toEqual({ healthy: true, version: "9.9.9" })
})
