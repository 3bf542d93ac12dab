import { createServer, type ServerResponse } from "node:http"
import { once } from "node:events"
import type { AddressInfo } from "node:net"
import { expect, it, onTestFinished } from "vitest"
import { listening, TOKEN } from "../test/listening.ts"
import { type Client, createClient, type EventsOptions, type ReceivedEvent } from "./index.ts"

/** Collects events until the test ends, or until `stop`. */
function collecting(client: Client, options: EventsOptions = {}) {
  const controller = new AbortController()
  const received: ReceivedEvent[] = []
  const errors: unknown[] = []
  const { promise: connected, resolve } = Promise.withResolvers<void>()
  const done = (async () => {
    const given = { ...options, signal: controller.signal, onReconnect: (error: unknown) => void errors.push(error) }
    for await (const each of client.events({ ...given, onConnected: resolve })) received.push(each)
  })()
  const stop = async () => {
    controller.abort()
    await done
  }
  onTestFinished(stop)
  return { received, errors, connected, stop, types: () => received.map(({ event }) => event.type) }
}

async function prompted(client: Client, text = "Hi"): Promise<string> {
  const { id } = await client.call("session.create", { body: {} })
  await client.call("session.prompt", { path: { sessionID: id }, body: { parts: [{ type: "text", text }] } })
  return id
}

it("streams the events of a turn in order, without those of the connection", async () => {
  const { address: url, directory } = await listening()
  const client = createClient({ url, token: TOKEN })
  const all = collecting(client)
  const own = collecting(client, { directory })
  await Promise.all([all.connected, own.connected])
  await prompted(client)
  await expect.poll(() => all.types().at(-1)).toBe("session.idle")
  await expect.poll(() => own.types()).toEqual(all.types())
  expect(all.types()[0]).toBe("session.created")
  expect(all.types()).toContain("message.part.updated")
  expect(all.types().some((type) => type.startsWith("server."))).toBe(false)
  expect(all.received[0]?.directory).toBe(directory)
})

it("begins after a position", async () => {
  const { address: url } = await listening()
  const client = createClient({ url, token: TOKEN })
  const first = collecting(client)
  await first.connected
  await prompted(client)
  await expect.poll(() => first.types().at(-1)).toBe("session.idle")
  await first.stop()
  const { position = "" } = first.received[3] ?? {}
  const second = collecting(client, { after: position })
  await expect.poll(() => second.received.length).toBe(first.received.length - 4)
  expect(second.received).toEqual(first.received.slice(4))
})

/** A server of events that a test writes. Each connection gets its `Last-Event-ID` recorded. */
async function scripted(serve: (response: ServerResponse, connection: number) => void) {
  const asked: (string | undefined)[] = []
  const server = createServer((request, response) => {
    asked.push(request.headers["last-event-id"] as string | undefined)
    response.writeHead(200, { "content-type": "text/event-stream" })
    serve(response, asked.length)
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { asked, client: createClient({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }) }
}

function frame(id: string, type = "session.idle"): string {
  const payload = { id: `evt_${id}`, type, properties: type === "session.idle" ? { sessionID: `ses_${id}` } : {} }
  return `id: ${id}\nevent: message\ndata: ${JSON.stringify({ directory: "/", payload })}\n\n`
}

it("connects again after a cut with the id of the last whole event", async () => {
  const { asked, client } = await scripted((response, connection) => {
    if (connection === 1) {
      response.write(`${frame("1", "server.connected")}${frame("2")}${frame("3").slice(0, -10)}`, () => {
        response.destroy()
      })
    } else response.write(`${frame("2", "server.connected")}${frame("3")}${frame("4")}`)
  })
  const { received, errors } = collecting(client)
  await expect.poll(() => received.map(({ position }) => position)).toEqual(["2", "3", "4"])
  expect(asked).toEqual([undefined, "2"])
  expect(errors).toHaveLength(1)
})

it("gives the caller a resync as an event", async () => {
  const { client } = await scripted((response) => response.write(frame("7", "server.resync")))
  const { types } = collecting(client, { after: "5" })
  await expect.poll(types).toEqual(["server.resync"])
})

it("leaves a server that has stopped to beat", async () => {
  const { asked, client } = await scripted((response, connection) => {
    response.write(frame(`${connection}`))
  })
  const { received, errors } = collecting(client, { silentMs: 50 })
  await expect.poll(() => received.length).toBeGreaterThan(1)
  expect(asked.slice(0, 2)).toEqual([undefined, "1"])
  expect(String(errors[0])).toContain("has sent nothing for 50 ms")
})

it("does not take a slow caller for a dead server", async () => {
  const { asked, client } = await scripted((response) => response.write(`${frame("1")}${frame("2")}`))
  const seen: string[] = []
  const controller = new AbortController()
  for await (const { position } of client.events({ silentMs: 100, signal: controller.signal })) {
    seen.push(position)
    await new Promise((resolve) => setTimeout(resolve, 300))
    if (seen.length === 2) controller.abort()
  }
  expect([seen, asked.length]).toEqual([["1", "2"], 1])
})

it("reassembles characters and events that arrive in pieces", async () => {
  const { client } = await scripted((response) => {
    const bytes = Buffer.from(frame("é😀"))
    for (let at = 0; at < bytes.length; at++) response.write(bytes.subarray(at, at + 1))
  })
  const { received } = collecting(client)
  await expect.poll(() => received.map(({ position }) => position)).toEqual(["é😀"])
})

it("rejects if the server refuses the stream", async () => {
  const { address: url } = await listening()
  const refused = createClient({ url, token: "another" }).events()
  await expect(refused.next()).rejects.toMatchObject({ status: 401 })
})

it("follows a server over a restart on the same port", async () => {
  const first = await listening()
  const { port, origin: url } = new URL(first.address)
  const client = createClient({ url, token: TOKEN })
  const { types, received, connected } = collecting(client)
  await connected
  await prompted(client, "before")
  await expect.poll(() => types().at(-1)).toBe("session.idle")
  const before = received.length
  await first.stop()
  await listening({ target: { port: Number(port) } })
  // It is another storage, so the server cannot know what came after the position.
  await expect.poll(() => types()[before]).toBe("server.resync")
  await prompted(client, "after")
  await expect.poll(() => types().at(-1)).toBe("session.idle")
})
