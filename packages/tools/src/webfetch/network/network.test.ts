import { once } from "node:events"
import { expect, it } from "vitest"
import { webServer } from "../../../test/web-server.ts"
import { systemNetwork } from "./network.ts"

it.each([
  ["its one address", ["127.0.0.1"]],
  ["the first of its addresses that takes the connection", ["127.0.0.2", "127.0.0.1"]],
])("connects a name that no resolver knows to %s", async (_, addresses) => {
  const server = await webServer((_request, response) => response.end())
  const socket = systemNetwork.connect({ host: "judged.invalid", port: server.port, addresses })
  await once(socket, "connect")
  expect(socket.remoteAddress).toBe("127.0.0.1")
  socket.destroy()
})

it("looks up the addresses of a name", async () => {
  const addresses = await systemNetwork.resolve("localhost")
  expect(["127.0.0.1", "::1"]).toEqual(expect.arrayContaining([...addresses]))
  expect(addresses).not.toEqual([])
})
