import { localServer } from "@pawl/provider-testkit/local-server"
import { describe, expect, it } from "vitest"
import { createConnection } from "./connection.ts"

const plan = { id: "acme", baseURL: "http://models.test/v1", baseURLHint: "Is it?", needsKey: false }
const fetchWith = (waits: { headerTimeout?: number; chunkTimeout?: number }) => createConnection(plan, waits).fetch

describe("a silent server is given up", () => {
  it("before its answer begins", async () => {
    await using server = await localServer(() => {})

    await expect(fetchWith({ headerTimeout: 30 })(server.url)).rejects.toMatchObject({
      code: "UND_ERR_HEADERS_TIMEOUT",
    })
  })

  it("in the middle of its answer, with what came before", async () => {
    await using server = await localServer((_request, response) => void response.write("begin"))
    const response = await fetchWith({ chunkTimeout: 30 })(server.url)
    const reader = response.body?.getReader()

    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe("begin")
    await expect(reader?.read()).rejects.toMatchObject({
      message: "terminated",
      cause: { code: "UND_ERR_BODY_TIMEOUT" },
    })
  })
})

it("reads an answer whole, whatever its way", async () => {
  await using server = await localServer((_request, response) => void response.end('{"a":1}'))
  const fetch = fetchWith({ headerTimeout: 60_000, chunkTimeout: 60_000 })

  expect(await (await fetch(server.url)).json()).toEqual({ a: 1 })
  const response = await fetch(server.url)
  expect(response).toMatchObject({ ok: true, status: 200, url: server.url })
  expect(response.headers.get("content-length")).toBe("7")
})

it("says the caller's reason where the caller gives up", async () => {
  await using server = await localServer(() => {})
  const reason = new Error("enough")

  const asked = fetchWith({ headerTimeout: 60_000 })(server.url, { signal: AbortSignal.abort(reason) })

  await expect(asked).rejects.toBe(reason)
})

it("counts no time that nobody waits", async () => {
  await using server = await localServer((_request, response) => {
    response.write("one")
    setTimeout(() => response.end("two"), 60)
  })
  const response = await fetchWith({ chunkTimeout: 40 })(server.url)
  await new Promise((resolve) => setTimeout(resolve, 100))

  expect(await response.text()).toBe("onetwo")
})
