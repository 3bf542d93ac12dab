import { once } from "node:events"
import { createServer, type RequestListener } from "node:http"
import type { AddressInfo } from "node:net"
import { expect, it, onTestFinished } from "vitest"
import { createRemoteReader, isAddress } from "./remote.ts"

/** A server for one test; gives its address and counts requests. */
async function serve(listener: RequestListener): Promise<{ address: string; requests: string[] }> {
  const requests: string[] = []
  const server = createServer((request, response) => {
    requests.push(request.url ?? "")
    listener(request, response)
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests }
}
const noticeOf = async (address: string, deadline?: number) => {
  const remote = await createRemoteReader(deadline === undefined ? {} : { timeoutMs: deadline })(address)
  return remote.type === "failed" ? remote.notice : remote.instruction.text
}

it("gives the text under its address, without what may be secret in it", async () => {
  const { address, requests } = await serve((_, response) => response.end("\nUse tabs. ✓\n"))

  expect(await createRemoteReader()(`${address}/rules.md?token=secret#end`)).toEqual({
    type: "read",
    instruction: { path: `${address}/rules.md`, text: "Use tabs. ✓" },
  })
  expect(requests).toEqual(["/rules.md?token=secret"])
})

it("fetches an address once, also when two ask at the same time", async () => {
  let served = 0
  const { address, requests } = await serve((_, response) => response.end(`Version ${++served}.`))
  const read = createRemoteReader()

  const answers = [...(await Promise.all([read(address), read(address)])), await read(address)]

  expect(answers.map((answer) => answer.type === "read" && answer.instruction.text)).toEqual(
    Array.from({ length: 3 }, () => "Version 1."),
  )
  expect(requests).toHaveLength(1)
})

it("follows a redirect to the same host, and to no other", async () => {
  const inside = await serve((_, response) => response.end("What only this machine is to see."))
  const { address } = await serve((request, response) => {
    const to = { "/moved": "/rules", "/inside": inside.address, "/round": "/round" }[request.url ?? ""]
    return to === undefined ? response.end("Use tabs.") : response.writeHead(302, { location: to }).end()
  })

  expect(await noticeOf(`${address}/moved`)).toBe("Use tabs.")
  expect(await noticeOf(`${address}/inside`)).toContain(
    `the server sends on to ${inside.address}: name that address itself`,
  )
  expect(await noticeOf(`${address}/round`)).toContain("the server sends on more than 5 times")
  expect(inside.requests).toEqual([])
})

it("tries again what failed before", async () => {
  let served = 0
  const { address } = await serve((_, response) => response.writeHead(served++ ? 200 : 503).end("Back."))
  const read = createRemoteReader()

  expect(await read(address)).toMatchObject({ type: "failed", notice: expect.stringContaining("answered 503") })
  expect(await read(address)).toMatchObject({ type: "read", instruction: { text: "Back." } })
})

it("gives the first 1 MiB of what is longer, says so, and reads no further", async () => {
  const sent: boolean[] = []
  const { address } = await serve((request, response) => {
    const more = () => {
      while (!request.destroyed && response.write("x".repeat(65_536)));
    }
    response.on("drain", more).on("close", () => sent.push(response.writableFinished))
    more()
  })

  const text = await noticeOf(address)

  expect(text).toBe(`${"x".repeat(1_048_576)}\n\n(The file goes on: only its first 1 MiB is given here.)`)
  await expect.poll(() => sent).toEqual([false])
})

it.each<[string, RequestListener]>([
  ["sends nothing", () => undefined],
  ["stops after the head", (_, response) => response.writeHead(200).flushHeaders()],
  ["stops in the middle", (_, response) => void response.write("Use ")],
])("waits for a server that %s no longer than its deadline", async (_, listener) => {
  const { address } = await serve(listener)
  expect(await noticeOf(address, 50)).toBe(
    `Instructions from ${address}/ were not read: it took longer than 0.05 s. ` +
      "The session goes on without it; correct the address in your configuration, or remove it.",
  )
})

it.each<[string, RequestListener]>([
  ["the server answered 404", (_, response) => response.writeHead(404).end("Not here")],
  ["it is not text", (_, response) => response.end(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0]))],
  ["it is not text in UTF-8", (_, response) => response.end(Buffer.from([0x47, 0x72, 0xfc, 0xdf, 0x65]))],
  ["it is empty", (_, response) => response.end(" \n")],
  ["other side closed", (request) => request.socket.destroy()],
])("says that %s", async (reason, listener) => {
  const { address } = await serve(listener)
  expect(await noticeOf(address)).toContain(`Instructions from ${address}/ were not read: ${reason}. `)
})

it("says why there is no connection", async () => {
  const { promise: closed, resolve } = Promise.withResolvers<void>()
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as AddressInfo
  server.close(() => resolve())
  await closed

  expect(await noticeOf(`http://127.0.0.1:${port}`)).toMatch(/ECONNREFUSED/)
  expect(await noticeOf("http://")).toContain("Instructions from http:// were not read: Invalid URL. ")
})

it("takes no name and password along, and does not show them", async () => {
  const { address, requests } = await serve((_, response) => response.end("Text."))
  const notice = await noticeOf(address.replace("//", "//me:hidden@"))

  expect(notice).toContain(`Instructions from ${address}/ were not read: an address with a name or a password is not`)
  expect(notice).not.toContain("hidden")
  expect(requests).toEqual([])
})

it.each([
  ["https://example.test/a.md", true],
  ["HTTP://example.test", true],
  ["/https://a", false],
  ["ftp://example.test", false],
  ["docs/https:/a", false],
])("takes %s for an address: %s", (source, expected) => {
  expect(isAddress(source)).toBe(expected)
})
