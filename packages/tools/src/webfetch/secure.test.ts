import { createServer } from "node:https"
import tls from "node:tls"
import { expect, it, onTestFinished } from "vitest"
import { testContext } from "../../test/context.ts"
import { recordedNetwork } from "../../test/recorded-network.ts"
import { selfSigned } from "../../test/self-signed.ts"
import { listening } from "../../test/web-server.ts"
import { webfetchTool } from "./webfetch.ts"

async function secureServer() {
  const names: (string | false | null | undefined)[] = []
  const { cert, key } = selfSigned("good.example")
  const server = createServer({ cert, key }, (request, response) => response.end(`for ${request.headers.host}`))
  server.on("secureConnection", ({ servername }) => names.push(servername))
  const { port } = await listening(server)
  return { cert, names, network: recordedNetwork(port, () => ["93.184.216.34"]) }
}

function trust(cert: string): void {
  const before = tls.getCACertificates("default")
  tls.setDefaultCACertificates([...before, cert])
  onTestFinished(() => tls.setDefaultCACertificates(before))
}

it("fetches over TLS under the host's name, from the address that was judged", async () => {
  const { cert, names, network } = await secureServer()
  trust(cert)
  const tool = webfetchTool({ network })
  expect(await tool.execute(tool.parse({ url: "https://good.example./" }), testContext("/"))).toMatchObject({
    output: "for good.example",
  })
  expect(names).toEqual(["good.example"])
  expect(network.targets).toEqual([{ host: "good.example", port: 443, addresses: ["93.184.216.34"] }])
})

it.each([
  ["another host", "https://other.example/", "does not match certificate's altnames"],
  ["a name where an address is asked for", "https://93.184.216.34/", "does not match certificate's altnames"],
])("refuses a certificate for %s", async (_, url, expected) => {
  const { cert, network } = await secureServer()
  trust(cert)
  const tool = webfetchTool({ network })
  await expect(tool.execute(tool.parse({ url }), testContext("/"))).rejects.toThrow(expected)
})

it("refuses a certificate that nobody vouches for", async () => {
  const { network } = await secureServer()
  const tool = webfetchTool({ network })
  await expect(tool.execute(tool.parse({ url: "https://good.example/" }), testContext("/"))).rejects.toThrow(
    /https:\/\/good\.example\/ could not be fetched: self-signed certificate/,
  )
})

it("reports a redirect from https to http instead of following it", async () => {
  const { cert, key } = selfSigned("good.example")
  const server = createServer({ cert, key }, (_, response) =>
    response.writeHead(301, { location: "http://good.example/" }).end(),
  )
  trust(cert)
  const { port } = await listening(server)
  const tool = webfetchTool({ network: recordedNetwork(port, () => ["93.184.216.34"]) })
  const result = await tool.execute(tool.parse({ url: "https://good.example/" }), testContext("/"))
  expect(result.metadata).toEqual({ url: "https://good.example/", redirect: "http://good.example/" })
})
