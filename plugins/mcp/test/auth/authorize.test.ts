import { once } from "node:events"
import { stat, writeFile } from "node:fs/promises"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import type { AuthErrorKind } from "../../src/auth/auth-error.ts"
import { createAuthScene, createBrowser } from "./auth-scene.ts"
import { configuredClient, type ServerBehaviour } from "./protected-server.ts"

const kindOf = async (failing: Promise<unknown>): Promise<string> => {
  const error = await failing.then(
    () => undefined,
    (reason: unknown) => reason as { kind?: AuthErrorKind; name: string },
  )
  return error?.kind ?? error?.name ?? "nothing failed"
}

describe("authorizing", () => {
  it.each<[string, Partial<ServerBehaviour>]>([
    ["all metadata and registration", {}],
    ["a registration with a secret", { registration: "secret" }],
    ["metadata of the authorization server alone", { metadata: "authorization server" }],
    ["no metadata", { metadata: "none" }],
    [
      "an authorization server that names itself in its answer",
      { more: { authorization_response_iss_parameter_supported: true } },
    ],
  ])("works with %s", async (_, behaviour) => {
    await using scene = await createAuthScene(behaviour)
    expect(await scene.ask()).toBe(401)

    const page = await scene.authorize()

    expect(page).toContain("Done")
    expect(await scene.ask()).toBe(200)
    expect(await scene.authorizer.state(scene.configured)).toMatchObject({
      isAuthorized: true,
      isRenewable: true,
      issuer: expect.stringContaining(scene.server.origin),
    })
    expect(scene.server.mistakes).toEqual([])
  })

  it("works with a client that is configured, and stores no secret of it", async () => {
    await using scene = await createAuthScene({ registration: "none" })
    const port = await freePort()
    const redirect = `http://127.0.0.1:${port}/mcp/oauth/callback`
    scene.server.clients.set(configuredClient.clientId, {
      secret: configuredClient.clientSecret,
      redirects: [redirect],
    })
    const oauth = { ...configuredClient, callbackPort: port }

    await scene.authorize(oauth)

    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" })
    const asked = await scene.authorizer.fetchFor({ ...scene.configured, oauth }, fetch)(scene.server.url, {
      method: "POST",
      body,
    })
    expect(asked.status).toBe(200)
    expect(await scene.stored()).not.toContain(configuredClient.clientSecret)
    expect(scene.server.mistakes).toEqual([])
    // Another client is another authorization.
    expect((await scene.authorizer.state(scene.configured)).isAuthorized).toBe(false)
  })

  it("works with a document that describes the client, and with another one once that is configured", async () => {
    const more = { client_id_metadata_document_supported: true }
    await using scene = await createAuthScene({ registration: "none", more })
    const port = await freePort()
    const redirects = [`http://127.0.0.1:${port}/mcp/oauth/callback`]
    const documents = ["https://example.com/pawl.json", "https://example.com/other.json"]
    for (const id of documents) scene.server.clients.set(id, { secret: undefined, redirects })

    for (const clientMetadataUrl of documents) {
      await scene.authorize({ clientMetadataUrl, callbackPort: port })
      expect(await scene.ask()).toBe(200)
      expect(await scene.stored()).toContain(clientMetadataUrl)
    }
    expect(scene.server.mistakes).toEqual([])
    expect(scene.server.count("POST /register")).toBe(0)
  })

  it("registers where the authorization server reads no documents", async () => {
    await using scene = await createAuthScene()
    await scene.authorize({ clientMetadataUrl: "https://example.com/pawl.json", callbackPort: 0 })
    expect(await scene.ask()).toBe(200)
    expect(await scene.stored()).not.toContain("example.com")
  })

  it("uses no other port than the one that a document names", async () => {
    const more = { client_id_metadata_document_supported: true }
    await using scene = await createAuthScene({ registration: "none", more })
    // Another program may have it already.
    await using _ = await taken(19_876).catch(() => null)
    expect(await kindOf(scene.authorize({ clientMetadataUrl: "https://example.com/pawl.json" }))).toBe("port")
  })

  it("asks for the scope that the server's metadata names", async () => {
    await using scene = await createAuthScene({ scope: "tools", more: { scopes_supported: ["tools"] } })
    await scene.authorize()
    expect(await scene.ask("tools/call")).toBe(200)
  })

  it("says what to do where a token is good for too little, and asks for more the next time", async () => {
    await using scene = await createAuthScene()
    await scene.authorize()
    scene.server.behaviour.scope = "write"
    await expect(scene.ask("tools/call")).rejects.toMatchObject({
      kind: "needs-auth",
      message: expect.stringContaining("pawl mcp auth box"),
    })

    await scene.authorize()

    expect(await scene.ask("tools/call")).toBe(200)
  })

  it("says that people were not willing, to them and here", async () => {
    await using scene = await createAuthScene({ consent: "denied" })
    const browser = createBrowser()
    expect(await kindOf(scene.authorizer.authorize(scene.configured, { openBrowser: browser.open }))).toBe("denied")
    expect(browser.page).toContain("This did not work")
    expect(await scene.ask()).toBe(401)
  })

  it("turns an answer with another state away, and goes on waiting", async () => {
    await using scene = await createAuthScene({ consent: "wrong state" })
    const pages: string[] = []
    const openBrowser = async (address: string) => {
      pages.push(await (await fetch(address)).text())
      scene.server.behaviour.consent = "granted"
      pages.push(await (await fetch(address)).text())
    }

    await scene.authorizer.authorize(scene.configured, { openBrowser })

    expect(pages).toEqual([expect.stringContaining("not the answer"), expect.stringContaining("Done")])
    expect(await scene.ask()).toBe(200)
    expect(scene.server.count("POST /token authorization_code")).toBe(1)
  })

  it.each(["wrong issuer", "no issuer"] as const)("does not use an answer with %s", async (consent) => {
    const more = { authorization_response_iss_parameter_supported: true }
    await using scene = await createAuthScene({ consent, more })
    expect(await kindOf(scene.authorize())).toBe("unsafe")
    expect(scene.server.count("POST /token authorization_code")).toBe(0)
  })

  it("ends when nobody answers, and when it is told to", async () => {
    await using scene = await createAuthScene()
    const show = () => undefined
    expect(await kindOf(scene.authorizer.authorize(scene.configured, { show, timeoutMs: 20 }))).toBe("late")
    const controller = new AbortController()
    const abort = () => controller.abort(new Error("enough"))
    const ended = scene.authorizer.authorize(scene.configured, { show: abort, signal: controller.signal })
    await expect(ended).rejects.toThrow("enough")
    // Nothing holds the port or the lock any more.
    await scene.authorize()
    expect(await scene.ask()).toBe(200)
  })

  it("opens nothing where there is nobody, and says what to do", async () => {
    await using scene = await createAuthScene()
    await expect(scene.authorizer.authorize(scene.configured, {})).rejects.toThrow("pawl mcp auth box")
    const openBrowser = () => Promise.reject(new Error("no display"))
    expect(await kindOf(scene.authorizer.authorize(scene.configured, { openBrowser }))).toBe("no-browser")
  })

  it("is done once at a time for a server, over all processes", async () => {
    await using scene = await createAuthScene()
    const { promise: shown, resolve } = Promise.withResolvers<string>()
    const first = scene.authorizer.authorize(scene.configured, { show: resolve })
    const address = await shown

    expect(await kindOf(scene.again().authorize(scene.configured, { show: () => undefined }))).toBe("busy")

    await createBrowser().open(address)
    expect((await first).isAuthorized).toBe(true)
  })
})

describe("the port of the answer", () => {
  it("is another one where it is taken, and is registered anew", async () => {
    await using scene = await createAuthScene()
    await scene.authorize()
    const [first] = scene.server.clients.values()
    await using _ = await taken(Number(new URL(first?.redirects[0] ?? "").port))

    await scene.authorize()

    expect(scene.server.clients.size).toBe(2)
    expect(await scene.ask()).toBe(200)
    expect(scene.server.mistakes).toEqual([])
  })

  it("has to be free where a client is configured", async () => {
    await using scene = await createAuthScene()
    await using busy = await taken(0)
    const failing = scene.authorize({ clientId: "configured", callbackPort: busy.port })
    await expect(failing).rejects.toThrow(`Port ${busy.port} of this machine is taken`)
  })
})

describe("a registration", () => {
  it("is used again", async () => {
    await using scene = await createAuthScene()
    await scene.authorize()
    await scene.authorize()
    expect(scene.server.count("POST /register")).toBe(1)
  })

  it("is made anew when the authorization server has forgotten it", async () => {
    await using scene = await createAuthScene()
    await scene.authorize()
    scene.server.clients.clear()
    scene.server.endAll()
    expect(await scene.ask()).toBe(401)

    await scene.authorize()

    expect(await scene.ask()).toBe(200)
    expect(scene.server.clients.size).toBe(1)
  })

  it("is made anew when it is forgotten though tokens are still good", async () => {
    await using scene = await createAuthScene()
    await scene.authorize()
    scene.server.clients.clear()

    await scene.authorize()

    expect(await scene.ask()).toBe(200)
    expect(scene.server.clients.size).toBe(1)
  })

  it("is wanted of people where the authorization server makes none", async () => {
    await using scene = await createAuthScene({ registration: "none" })
    await expect(scene.ask()).rejects.toMatchObject({
      kind: "needs-client-registration",
      message: expect.stringContaining("mcp.box.oauth.clientId"),
    })
    expect(await kindOf(scene.authorize())).toBe("client")
    scene.server.behaviour.more = { client_id_metadata_document_supported: true }
    await expect(scene.authorize()).rejects.toThrow("mcp.box.oauth.clientMetadataUrl")
  })

  it("does not take a client that is configured wrongly for one that it can replace", async () => {
    await using scene = await createAuthScene()
    const port = await freePort()
    scene.server.clients.set("configured", {
      secret: "right-secret-0123",
      redirects: [`http://127.0.0.1:${port}/mcp/oauth/callback`],
    })
    const failing = scene.authorize({ clientId: "configured", clientSecret: "wrong-secret-0123", callbackPort: port })
    await expect(failing).rejects.toThrow("Check clientId and clientSecret")
    expect(scene.server.count("POST /register")).toBe(0)
  })
})

describe("what is not safe", () => {
  it.each([
    ["an authorization server in the open", { authorization_endpoint: "http://elsewhere.example/authorize" }],
    ["a token endpoint in the open", { token_endpoint: "http://elsewhere.example/token" }],
    ["an address that a browser would open as a file", { authorization_endpoint: "file:///etc/passwd" }],
  ])("is %s", async (_, more) => {
    await using scene = await createAuthScene({ more })
    // As it looks from a server that is spoken to in secret.
    const overTLS = (url: string | URL, init?: RequestInit) =>
      fetch(String(url).replace("https://box.example", scene.server.origin), init)
    const authorizer = scene.again({ fetch: overTLS })
    const opened: string[] = []
    const failing = authorizer.authorize(
      { ...scene.configured, url: "https://box.example/mcp" },
      { openBrowser: (address) => void opened.push(address) },
    )
    expect(await kindOf(failing)).toBe("unsafe")
    expect(opened).toEqual([])
  })

  it("is another authorization server for a client that people were given by one", async () => {
    await using scene = await createAuthScene({ registration: "none" })
    await using other = await createAuthScene({ registration: "none" })
    const port = await freePort()
    const redirects = [`http://127.0.0.1:${port}/mcp/oauth/callback`]
    scene.server.clients.set(configuredClient.clientId, { secret: configuredClient.clientSecret, redirects })
    const oauth = { ...configuredClient, callbackPort: port }
    await scene.authorize(oauth)
    Object.assign(scene.server.behaviour, { more: { authorization_servers: [other.server.origin] } })

    await expect(scene.authorize(oauth)).rejects.toThrow("another authorization server than before")

    expect(other.server.count("POST /token authorization_code")).toBe(0)
    await scene.authorizer.logout({ ...scene.configured, oauth })
    other.server.clients.set(configuredClient.clientId, { secret: configuredClient.clientSecret, redirects })
    other.server.behaviour.consent = "denied"
    expect(await kindOf(scene.authorize(oauth))).toBe("denied")
  })

  it("is a resource of somebody else", async () => {
    await using scene = await createAuthScene({ more: { resource: "https://bank.example/mcp" } })
    expect(await kindOf(scene.authorize())).toBe("unsafe")
  })
})

describe("tokens", () => {
  it.runIf(process.platform !== "win32")("are in a file for its owner alone", async () => {
    await using scene = await createAuthScene()
    await scene.authorize()
    const { mode } = await stat(join(scene.dataDirectory, "mcp-auth.json"))
    expect(mode & 0o777).toBe(0o600)
  })

  it("are for one address: another one, or another server behind a redirect, never gets them", async () => {
    await using scene = await createAuthScene()
    await using other = await createAuthScene()
    await scene.authorize()
    const sent: (string | null)[] = []
    const watched = async (url: string | URL, init?: RequestInit) => {
      sent.push(new Headers(init?.headers).get("authorization"))
      return fetch(url, init)
    }
    const moved = { ...scene.configured, url: `${scene.server.origin}/other` }
    await scene.authorizer.fetchFor(moved, watched)(moved.url)
    await scene.authorizer.fetchFor(scene.configured, watched)(other.server.url)
    expect(sent).toEqual([null, null])
  })

  it("are not asked for where OAuth is switched off", async () => {
    await using scene = await createAuthScene()
    await scene.authorize()
    const asking = scene.authorizer.fetchFor({ ...scene.configured, oauth: false }, fetch)
    expect((await asking(scene.server.url, { method: "POST", body: "{}" })).status).toBe(401)
    expect(await kindOf(scene.authorize(false))).toBe("refused")
  })

  it("give way to what a request says by itself", async () => {
    await using scene = await createAuthScene()
    await scene.authorize()
    const headers = { authorization: "Bearer given" }
    const asked = await scene.authorizer.fetchFor(scene.configured, fetch)(scene.server.url, {
      method: "POST",
      headers,
      body: "{}",
    })
    expect(asked.status).toBe(401)
  })

  it("are told to who keeps secrets out of sight, and are in no error", async () => {
    await using scene = await createAuthScene({ registration: "secret" })
    await scene.authorize()
    await scene.again().state(scene.configured)
    for (const secret of scene.server.secrets)
      if (secret !== configuredClient.clientSecret) expect(scene.remembered).toContain(secret)

    scene.server.endAccess()
    scene.server.behaviour.renewalStatus = 500
    const errors = [await caught(scene.ask())]
    scene.server.behaviour.consent = "denied"
    errors.push(await caught(scene.authorize()))
    scene.server.behaviour.registration = "none"
    errors.push(
      await caught(
        scene
          .again()
          .authorize(
            { ...scene.configured, oauth: { clientId: "unknown", callbackPort: 0 } },
            { openBrowser: createBrowser().open, timeoutMs: 50 },
          ),
      ),
    )
    const texts = errors
      .map((error) => `${error.message} ${JSON.stringify(error)} ${error.stack} ${JSON.stringify(error.cause)}`)
      .join("\n")
    for (const secret of scene.server.secrets) expect(texts).not.toContain(secret)
  })

  it("are gone after logging out, here and at the authorization server", async () => {
    await using scene = await createAuthScene()
    await scene.authorize()

    expect(await scene.authorizer.logout(scene.configured)).toEqual({ wasAuthorized: true, isRevoked: true })

    expect(scene.server.requests.slice(-2)).toEqual(["POST /revoke refresh_token", "POST /revoke access_token"])
    const stored = await scene.stored()
    for (const secret of scene.server.secrets) expect(stored).not.toContain(secret)
    expect(stored).not.toContain([...scene.server.clients.keys()][0])
    expect(await scene.ask()).toBe(401)
    expect(await scene.authorizer.logout(scene.configured)).toEqual({ wasAuthorized: false, isRevoked: false })
  })

  it("are gone after logging out though the authorization server does not answer", async () => {
    await using scene = await createAuthScene()
    await scene.authorize()
    const authorizer = scene.again({ fetch: () => Promise.reject(new TypeError("fetch failed")) })
    expect(await authorizer.logout(scene.configured)).toEqual({ wasAuthorized: true, isRevoked: false })
    expect(await scene.ask()).toBe(401)
  })

  it("that cannot be read are set aside, not lost", async () => {
    await using scene = await createAuthScene()
    const path = join(scene.dataDirectory, "mcp-auth.json")
    await writeFile(path, "{ half")
    expect(await scene.ask()).toBe(401)
    await scene.authorize()
    expect(await scene.ask()).toBe(200)
    expect((await stat(`${path}.unreadable`)).size).toBe(6)
  })

  it("of a later version are left as they are", async () => {
    await using scene = await createAuthScene()
    await writeFile(join(scene.dataDirectory, "mcp-auth.json"), JSON.stringify({ version: 2, authorizations: {} }))
    await expect(scene.authorize()).rejects.toThrow("later version")
    expect(await scene.stored()).toContain('"version":2')
  })
})

async function caught(failing: Promise<unknown>): Promise<Error> {
  return failing.then(
    () => new Error("nothing failed"),
    (error: unknown) => error as Error,
  )
}

async function taken(port: number): Promise<AsyncDisposable & { readonly port: number }> {
  const server = createServer().listen(port, "127.0.0.1")
  await once(server, "listening")
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      const closed = once(server, "close")
      server.close()
      await closed
    },
  }
}

async function freePort(): Promise<number> {
  await using server = await taken(0)
  return server.port
}
