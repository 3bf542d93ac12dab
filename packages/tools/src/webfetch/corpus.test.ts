import { expect, it } from "vitest"
import { testContext } from "../../test/context.ts"
import { recordedNetwork } from "../../test/recorded-network.ts"
import { webServer } from "../../test/web-server.ts"
import { allowedURLs, blockedNames, blockedURLs, redirectChains, refusedURLs } from "../../test/corpus/urls.ts"
import type { Network } from "./network/network.ts"
import { webfetchTool } from "./webfetch.ts"

async function run(url: string, network: Network) {
  const tool = webfetchTool({ network })
  return tool.execute(tool.parse({ url }), testContext("/"))
}

it("is large enough to tell something", () => {
  const urls = [blockedURLs, refusedURLs].flatMap((group) => Object.values(group).flat())
  expect(urls.length + blockedNames.length + allowedURLs.length + redirectChains.length).toBeGreaterThan(220)
})

for (const [range, urls] of Object.entries(blockedURLs)) {
  it.each(urls)(`opens no socket to %s, which is ${range}`, async (url) => {
    const network = recordedNetwork(0, (host) => expect.fail(`${host} was looked up`))
    await expect(run(url, network)).rejects.toThrow(`not public (${range})`)
    expect(network.targets).toEqual([])
  })
}

for (const [reason, urls] of Object.entries(refusedURLs)) {
  it.each(urls)(`refuses the input %s: ${reason}`, async (url) => {
    const network = recordedNetwork(0, (host) => expect.fail(`${host} was looked up`))
    await expect(run(url, network)).rejects.toThrow(reason)
    expect(network.targets).toEqual([])
  })
}

it.each(blockedNames)("opens no socket to $url with the addresses $addresses", async ({ url, addresses }) => {
  const network = recordedNetwork(0, () => addresses)
  await expect(run(url, network)).rejects.toThrow(/not public|no address/)
  expect(network.targets).toEqual([])
})

it.each(allowedURLs)("connects for $url to $addresses and nothing else", async ({ url, addresses }) => {
  const server = await webServer((_, response) => response.end("here"))
  const network = recordedNetwork(server.port, () => addresses)
  expect(await run(url, network)).toMatchObject({ output: "here" })
  expect(network.targets.map((target) => target.addresses)).toEqual([addresses])
})

it.each(redirectChains)("sends $requests requests for a redirect $name", async ({ hops, requests, outcome }) => {
  const [start = "", ...locations] = hops
  const paths: string[] = []
  const server = await webServer(({ url = "" }, response) => {
    const location = locations[paths.push(url) - 1]
    if (location === undefined) response.end("here")
    else response.writeHead(302, { location: Buffer.from(location).toString("latin1") }).end()
  })
  const network = recordedNetwork(server.port, (host, lookup) =>
    host === "rebinding.example" && lookup > 1 ? ["127.0.0.1"] : ["93.184.216.34"],
  )
  const result = await run(start, network).catch((error: unknown) => error)
  expect(paths).toHaveLength(requests)
  expect(network.targets.flatMap(({ addresses }) => addresses)).toEqual(Array(requests).fill("93.184.216.34"))
  if (outcome === "failure") expect(result).toBeInstanceOf(Error)
  else if (outcome === "page") expect(result).toMatchObject({ output: "here" })
  else expect(result).toMatchObject({ output: expect.stringContaining("call webfetch again with this address") })
})
