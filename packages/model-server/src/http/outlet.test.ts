import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { expect, it } from "vitest"
import { openOutlet } from "./outlet.ts"

it("writes no faster than the client reads", async () => {
  const block = Buffer.alloc(64 * 1024, "x")
  const backlog: boolean[] = []
  await using server = createServer((_request, response) => {
    const outlet = openOutlet(response, () => {})
    void (async () => {
      outlet.head(200, {})
      for (let count = 0; count < 200; count++) {
        await outlet.write(block)
        backlog.push(response.writableNeedDrain)
      }
      outlet.end()
    })()
  })
  await once(server.listen(0, "127.0.0.1"), "listening")

  const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  const body = await response.arrayBuffer()

  expect(body.byteLength).toBe(200 * block.length)
  expect(backlog.length).toBe(200)
  expect(backlog).not.toContain(true)
})
