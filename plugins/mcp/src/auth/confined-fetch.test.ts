import { createServer } from "node:http"
import { once } from "node:events"
import type { AddressInfo } from "node:net"
import { expect, it, onTestFinished } from "vitest"
import { AuthError } from "./auth-error.ts"
import { confinedFetch } from "./confined-fetch.ts"
import type { Confinement } from "./confinement.ts"

/** A server on loopback; `named` is what a URL calls it by. `/away` redirects to `to`. */
async function startPlace(to = "") {
  const seen: string[] = []
  const server = createServer((request, response) => {
    seen.push(`${request.headers.host?.split(":")[0]} ${request.url}`)
    if (request.url === "/away") response.writeHead(307, { location: to.replace("PORT", String(port)) })
    response.end(`{"path":"${request.url}"}`)
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  return { seen, url: (path: string) => `http://public.invalid:${port}${path}` }
}

/** Says these names to be on loopback, each time it is asked, and all else to be out of reach. */
function judging(...names: readonly string[]): Confinement & { readonly asked: string[] } {
  const asked: string[] = []
  return {
    ...{ name: "box", url: "https://mcp.example/mcp", asked },
    async addressesOf(hostname) {
      asked.push(hostname)
      if (names.includes(hostname)) return ["127.0.0.1"]
      throw new AuthError("unsafe", "box", `${hostname} is not public`)
    },
  }
}

it("connects to the address that was judged, without finding the name again", async () => {
  const { url, seen } = await startPlace()
  // No resolver knows the name.
  const response = await confinedFetch(judging("public.invalid"))(url("/a"), { method: "POST", body: "x=1" })
  expect(await response.json()).toEqual({ path: "/a" })
  expect(seen).toEqual(["public.invalid /a"])
})

it("has each connection judged, also the next one to the same host", async () => {
  const { url } = await startPlace()
  const confinement = judging("public.invalid")
  const fetch = confinedFetch(confinement)
  for (const path of ["/a", "/b"]) await (await fetch(url(path))).text()
  // Before the request, and for its connection.
  expect(confinement.asked).toEqual(Array.from({ length: 4 }, () => "public.invalid"))
})

it.each(["http://127.0.0.1:PORT/inside", "http://intern.invalid:PORT/inside", "http://[::1]:PORT/inside"])(
  "does not follow a redirect to %s",
  async (to) => {
    const { url, seen } = await startPlace(to)
    const failure = await confinedFetch(judging("public.invalid"))(url("/away")).catch((thrown: unknown) => thrown)
    expect(failure).toMatchObject({ name: "AuthError", kind: "unsafe" })
    expect(seen).toEqual(["public.invalid /away"])
  },
)

it("follows a redirect to what may be reached", async () => {
  const { url, seen } = await startPlace("http://other.invalid:PORT/there")
  const response = await confinedFetch(judging("public.invalid", "other.invalid"))(url("/away"))
  expect(await response.json()).toEqual({ path: "/there" })
  expect(seen).toEqual(["public.invalid /away", "other.invalid /there"])
})
