import { once } from "node:events"
import { readFileSync } from "node:fs"
import { createServer } from "node:https"
import type { AddressInfo } from "node:net"
import { localServer } from "@pawl/provider-testkit/local-server"
import { describe, expect, it } from "vitest"
import { type ConnectionOptions, createConnection } from "./connection.ts"

const plan = { id: "acme", baseURL: "http://models.test/v1", baseURLHint: "Is it?", needsKey: true }
const connect = (options: ConnectionOptions, more: object = {}) => createConnection({ ...plan, ...more }, options)

describe("a key", () => {
  const keyVariables = ["ACME_API_KEY"]

  it("that is missing is an error which tells where to put it", () => {
    expect(() => connect({}, { keyVariables }).checkKey()).toThrow(
      'The provider "acme" has no API key. Set the variable ACME_API_KEY, or "apiKey" in the options of provider "acme".',
    )
    expect(() => connect({}).checkKey()).toThrow(
      'The provider "acme" has no API key. Set "apiKey" in the options of provider "acme".',
    )
  })

  it("may be missing where none is needed", () => {
    expect(() => connect({}, { needsKey: false }).checkKey()).not.toThrow()
  })

  it("comes from the environment that is given, and the hint says so", () => {
    const connection = connect({ environment: { ACME_API_KEY: "k" } }, { keyVariables })
    expect(connection.apiKey).toBe("k")
    expect(connection.source).toMatchObject({ keyHint: "Check the variable ACME_API_KEY.", secrets: ["k"] })
  })
})

describe("a proxy", () => {
  it.each<[string, (proxy: string) => ConnectionOptions]>([
    ["of the options", (proxy) => ({ proxy })],
    ["of the environment", (proxy) => ({ environment: { HTTP_PROXY: proxy } })],
    ["of the options, whatever the environment says", (proxy) => ({ proxy, environment: { NO_PROXY: "*" } })],
  ])("%s is asked, with the query", async (_which, options) => {
    await using proxy = await localServer((request, response) => void response.end(`by proxy: ${request.url}`))
    const { fetch } = connect({ ...options(proxy.url), query: { v: "2" } })

    const response = await fetch("http://models.test/v1/models?a=1")

    expect(await response.text()).toBe("by proxy: http://models.test/v1/models?a=1&v=2")
  })

  it("of an environment that nobody gave is none", async () => {
    await using server = await localServer((request, response) => void response.end(request.url))
    expect(await (await connect({}).fetch(`${server.url}here`)).text()).toBe("/here")
  })
})

describe("a server with a certificate of its own", () => {
  const file = (name: string) => readFileSync(new URL(`../test/certificate/${name}`, import.meta.url), "utf8")

  async function secureServer() {
    const server = createServer({ key: file("key.pem"), cert: file("certificate.pem") }, (_request, response) => {
      response.end("secure")
    })
    server.listen(0, "127.0.0.1")
    await once(server, "listening")
    return {
      url: `https://127.0.0.1:${(server.address() as AddressInfo).port}/`,
      async [Symbol.asyncDispose]() {
        server.closeAllConnections()
        await new Promise((resolve) => server.close(resolve))
      },
    }
  }

  it("is trusted when its certificate is given", async () => {
    await using server = await secureServer()
    for (const ca of [file("certificate.pem"), [file("certificate.pem")]]) {
      expect(await (await connect({ ca }).fetch(server.url)).text()).toBe("secure")
    }
  })

  it("is not trusted otherwise", async () => {
    await using server = await secureServer()
    await expect(connect({}).fetch(server.url)).rejects.toMatchObject({
      cause: { code: expect.stringMatching(/SELF_SIGNED/) },
    })
  })
})
