import { describe, expect, it } from "vitest"
import { createMcp, type McpOptions } from "../../src/index.ts"
import { type AuthScene, createAuthScene } from "./auth-scene.ts"

/** An engine's servers, one of which is the protected one. */
function createHost(scene: AuthScene, options: Partial<McpOptions> = {}) {
  const { dataDirectory, server, authorizer } = scene
  const { control } = createMcp({
    servers: { box: { config: { type: "remote", url: server.url }, scope: "user" } },
    ...{ directory: dataDirectory, dataDirectory, random: () => 0 },
    authFor: authorizer.fetchFor,
    ...options,
  })
  return { control, [Symbol.asyncDispose]: () => control.close() }
}

const answer = { content: [{ type: "text", text: "you" }] }

describe("a server that requires authorization", () => {
  it("needs people first, and is used after that without a restart", async () => {
    await using scene = await createAuthScene()
    await using host = createHost(scene)
    await expect(host.control.connect("box")).rejects.toMatchObject({
      kind: "needs-auth",
      message: expect.stringContaining("pawl mcp auth box"),
    })
    expect(await host.control.status()).toMatchObject([{ status: "needs_auth" }])

    // As another process does it.
    await scene.again().authorize(scene.configured, { openBrowser: async (address) => void (await fetch(address)) })

    expect(await host.control.call("box", "whoami", {})).toMatchObject(answer)
    expect(await host.control.status()).toMatchObject([{ status: "connected", tools: 1 }])
  })

  it("goes on in the middle of a session when its token ends", async () => {
    await using scene = await createAuthScene()
    await scene.authorize()
    await using host = createHost(scene)
    await host.control.connect("box")
    scene.server.endAccess()
    expect(await host.control.call("box", "whoami", {})).toMatchObject(answer)
    expect(scene.server.count("POST /token refresh_token")).toBe(1)
  })

  it("connects with a token that ended meanwhile", async () => {
    await using scene = await createAuthScene({ lifetime: undefined })
    await scene.authorize()
    scene.server.endAccess()
    await using host = createHost(scene)
    await host.control.connect("box")
    expect(scene.server.count("POST /token refresh_token")).toBe(1)
  })

  it("says so when nothing can be renewed in the middle of a session", async () => {
    await using scene = await createAuthScene()
    await scene.authorize()
    await using host = createHost(scene)
    await host.control.connect("box")
    scene.server.endAll()
    await expect(host.control.call("box", "whoami", {})).rejects.toMatchObject({ kind: "needs-auth" })
    expect(await host.control.status()).toMatchObject([{ status: "needs_auth" }])

    await scene.authorize()

    expect(await host.control.call("box", "whoami", {})).toMatchObject(answer)
  })

  it("says what a token lacks", async () => {
    await using scene = await createAuthScene()
    await scene.authorize()
    scene.server.behaviour.scope = "write"
    await using host = createHost(scene)
    await expect(host.control.call("box", "whoami", {})).rejects.toThrow(
      "with more rights: write. Run: pawl mcp auth box",
    )
  })

  it("needs a client of people's own where none can be registered", async () => {
    await using scene = await createAuthScene({ registration: "none" })
    await using host = createHost(scene)
    await expect(host.control.connect("box")).rejects.toMatchObject({ kind: "needs-client-registration" })
    expect(await host.control.status()).toMatchObject([{ status: "needs_client_registration" }])
  })
})
