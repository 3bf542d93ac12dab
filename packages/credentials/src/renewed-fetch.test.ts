import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { expect, it, onTestFinished } from "vitest"
import { renewedFetch } from "./renewed-fetch.ts"

it("follows no redirect to another server where the plugin's own fetch is gone", async () => {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? "")
    response.writeHead(request.url === "/elsewhere" ? 200 : 307, { location: "/elsewhere" }).end()
  }).listen(0, "127.0.0.1")
  onTestFinished(() => void server.close())
  await once(server, "listening")
  const gone = { loaders: [{ plugin: "a", value: { provider: "x", methods: [] } }], options: {} }
  const fetch = renewedFetch(
    "x",
    gone,
    () => [],
    async () => ({}),
  )

  const { port } = server.address() as AddressInfo
  await expect(fetch(`http://127.0.0.1:${port}/`, { method: "POST", body: "prompt" })).rejects.toThrow("fetch failed")

  expect(asked).toEqual(["/"])
})
