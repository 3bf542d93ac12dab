import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it, onTestFinished } from "vitest"
import { type AuthorizableServer, createAuthorizer } from "../../src/auth/authorizer.ts"

const configured: AuthorizableServer = { name: "box", url: "https://mcp.example/mcp", oauth: { callbackPort: 0 } }
const addresses: Readonly<Record<string, string>> = {
  "mcp.example": "93.184.215.14",
  "auth.example": "93.184.215.15",
  "intern.example": "10.0.0.1",
}

interface Sayings {
  readonly resource?: string
  readonly issuer?: string
  readonly endpoints?: object
}

/** A server out there that says this of its authorization, and where it was asked. */
async function createPlace(says: Sayings) {
  const dataDirectory = await mkdtemp(join(tmpdir(), "pawl-mcp-confinement-"))
  onTestFinished(() => rm(dataDirectory, { recursive: true, force: true }))
  const { resource = "https://mcp.example/.well-known/oauth-protected-resource", issuer = "https://auth.example" } =
    says
  const asked: string[] = []
  const fetch = async (target: string | URL) => {
    const { href, host, pathname } = new URL(target)
    asked.push(host)
    if (href === configured.url) {
      const headers = { "www-authenticate": `Bearer resource_metadata="${resource}"` }
      return new Response("", { status: 401, headers })
    }
    if (pathname.includes("oauth-protected-resource")) {
      return Response.json({ resource: configured.url, authorization_servers: [issuer] })
    }
    if (!pathname.includes("oauth-authorization-server")) return new Response("", { status: 404 })
    return Response.json({
      issuer,
      authorization_endpoint: "https://auth.example/authorize",
      token_endpoint: "https://auth.example/token",
      registration_endpoint: "https://auth.example/register",
      response_types_supported: ["code"],
      code_challenge_methods_supported: ["S256"],
      ...says.endpoints,
    })
  }
  const resolve = async (host: string) => [addresses[host] ?? "127.0.0.1"]
  return { asked, fetch, authorizer: createAuthorizer({ dataDirectory, fetch, resolve }) }
}

it.each<Sayings>([
  { resource: "http://169.254.169.254/latest/meta-data" },
  { resource: "http://localhost:9200/" },
  { issuer: "https://intern.example" },
  { issuer: "http://127.0.0.1:8080" },
  { issuer: "http://[::ffff:7f00:1]:8080" },
  { endpoints: { token_endpoint: "https://intern.example/token" } },
  { endpoints: { registration_endpoint: "http://127.0.0.1:8080/register" } },
  { endpoints: { authorization_endpoint: "http://127.0.0.1:8080/shutdown" } },
  { endpoints: { authorization_endpoint: "file:///etc/passwd" } },
])("a public server that says %j has nothing asked of this network", async (says) => {
  const { asked, authorizer, fetch } = await createPlace(says)
  const opened: string[] = []
  const openBrowser = (address: string) => void opened.push(address)

  const failure = await authorizer
    .authorize(configured, { openBrowser, timeoutMs: 200 })
    .catch((thrown: unknown) => thrown)
  await authorizer
    .fetchFor(configured, fetch)(configured.url, { method: "POST" })
    .catch(() => undefined)

  expect(failure).toMatchObject({ name: "AuthError" })
  // Without metadata of its own it is taken for its authorization server itself.
  if (says.resource === undefined) expect(failure).toMatchObject({ kind: "unsafe" })
  expect(opened).toEqual([])
  for (const host of asked) expect(["mcp.example", "auth.example"]).toContain(host)
})

it("a public server with a public authorization server is authorized there", async () => {
  const { asked, authorizer } = await createPlace({})
  await authorizer.authorize(configured, { show: () => undefined, timeoutMs: 50 }).catch(() => undefined)
  expect(asked).toContain("auth.example")
})
