import { createServer, type RequestListener } from "node:http"
import type { AddressInfo } from "node:net"
import { setInterval } from "node:timers"
import { expect, it, onTestFinished } from "vitest"
import { fetchText } from "./fetch-text.ts"

async function fetched(listener: RequestListener, deadline = 60_000) {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/a`)
  return fetchText(url, { environment: {}, deadline })
}

/** Sends one byte after the other without end. */
const drip: RequestListener = (_, response) => {
  const timer = setInterval(() => response.write(" "), 20)
  response.on("close", () => clearInterval(timer))
}
const to =
  (location: string): RequestListener =>
  (_, response) =>
    void response.writeHead(302, { location }).end()

it.each<[string, RequestListener, RegExp]>([
  [
    "breaks off",
    (_, response) => void response.writeHead(200, { "content-length": 9 }).write("x", () => response.destroy()),
    /./,
  ],
  ["redirects without end", to("/b"), /^redirects again and again$/],
  ["leads to another port", to("http://127.0.0.1:1/"), /^leads to another server, http:\/\/127.0.0.1:1$/],
  ["leads to another scheme", to("https://127.0.0.1/"), /^leads to another server/],
  ["leads to a file", to("file:///etc/passwd"), /^leads to another server/],
  ["leads to no address", to("http://["), /^redirects to an invalid address$/],
])("refuses a server that %s", async (_, listener, says) => {
  await expect(fetched(listener)).rejects.toThrow(says)
})

it.each<[string, RequestListener]>([
  ["says nothing", () => undefined],
  ["never ends", drip],
])("gives up on a server that %s", async (_, listener) => {
  await expect(fetched(listener, 400)).rejects.toThrow(/^did not answer within 0.4 s$/)
})

it("refuses what begins like the server's own address and is none", async () => {
  const own: RequestListener = (request, response) =>
    void response.writeHead(302, { location: `blob:http://${request.headers.host}/x` }).end()
  await expect(fetched(own)).rejects.toThrow(/.+/)
})

it("reads no more than 256 KiB, however it comes", async () => {
  const endless: RequestListener = (_, response) => {
    const more = () => void response.write("x".repeat(60_000), () => response.writable && more())
    more()
  }
  await expect(fetched(endless)).rejects.toThrow("sends more than 256 KiB")
})

it("follows a redirect on the same server", async () => {
  const text = await fetched((request, response) => {
    if (request.url === "/b") response.end("{}")
    else response.writeHead(307, { location: "b" }).end()
  })
  expect(text).toEqual({ status: 200, text: "{}" })
})
