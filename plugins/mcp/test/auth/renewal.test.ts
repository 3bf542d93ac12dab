import { join } from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import { describe, expect, it } from "vitest"
import { createFileTokenStore, type TokenStore } from "../../src/auth/token-store.ts"
import { until } from "../scene.ts"
import { type AuthScene, createAuthScene } from "./auth-scene.ts"
import type { ServerBehaviour } from "./protected-server.ts"

const HOUR = 3_600_000
const renewals = ({ server }: AuthScene) => server.count("POST /token refresh_token")

/** Authorized, and asked once: nothing is left to learn. */
async function createAuthorizedScene(behaviour: Partial<ServerBehaviour> = {}): Promise<AuthScene> {
  const scene = await createAuthScene(behaviour)
  await scene.authorize()
  expect(await scene.ask()).toBe(200)
  return scene
}

describe("a token", () => {
  it("is renewed at 80 % of its lifetime, before it is sent", async () => {
    await using scene = await createAuthorizedScene()
    scene.clock.ahead = 0.79 * HOUR
    await scene.ask()
    expect(renewals(scene)).toBe(0)

    scene.clock.ahead = 0.81 * HOUR
    scene.server.endAccess()

    expect(await scene.ask()).toBe(200)
    // The old one was not even tried.
    expect(scene.server.requests.slice(-2)).toEqual(["POST /token refresh_token", "POST /mcp"])
    await scene.ask()
    expect(renewals(scene)).toBe(1)
    expect(scene.server.mistakes).toEqual([])
  })

  it("is renewed in time though nobody asks", async () => {
    await using scene = await createAuthScene()
    await scene.authorize()
    scene.clock.ahead = 0.8 * HOUR - 300
    expect(await scene.ask()).toBe(200)
    await until(() => renewals(scene) === 1, "a renewal")
    expect(await scene.ask()).toBe(200)
    expect(renewals(scene)).toBe(1)
  })

  it("of a short life is renewed for requests alone", async () => {
    await using scene = await createAuthScene({ lifetime: 0.001 })
    await scene.authorize()
    expect([await scene.ask(), await scene.ask()]).toEqual([200, 200])
    expect(renewals(scene)).toBe(2)
    await delay(50)
    expect(renewals(scene)).toBe(2)
  })

  it("is renewed once for many requests", async () => {
    await using scene = await createAuthorizedScene()
    scene.clock.ahead = HOUR
    const statuses = await Promise.all(Array.from({ length: 8 }, () => scene.ask()))
    expect([...new Set(statuses)]).toEqual([200])
    expect(renewals(scene)).toBe(1)
  })

  it("is renewed when the clock was set back behind its beginning", async () => {
    await using scene = await createAuthorizedScene()
    scene.clock.ahead = -5 * HOUR
    expect(await scene.ask()).toBe(200)
    expect(await scene.ask()).toBe(200)
    expect(renewals(scene)).toBe(1)
  })

  it("is sent on while the authorization server does not answer, which is asked again after a while", async () => {
    await using scene = await createAuthorizedScene()
    scene.clock.ahead = 0.9 * HOUR
    scene.server.behaviour.renewalStatus = 503
    expect([await scene.ask(), await scene.ask(), await scene.ask()]).toEqual([200, 200, 200])
    expect(renewals(scene)).toBe(1)

    delete scene.server.behaviour.renewalStatus
    scene.clock.elapsedAhead = 31_000
    expect(await scene.ask()).toBe(200)
    expect(renewals(scene)).toBe(2)
  })

  it("keeps a refresh token that is not rotated", async () => {
    await using scene = await createAuthorizedScene({ isRotating: false })
    for (const ahead of [1, 2, 3]) {
      scene.clock.ahead = ahead * HOUR
      expect(await scene.ask()).toBe(200)
    }
    expect(renewals(scene)).toBe(3)
  })

  it.each([undefined, 0])(
    "that ends after %s seconds, which says nothing, is renewed when it is refused",
    async (lifetime) => {
      await using scene = await createAuthorizedScene({ lifetime })
      scene.clock.ahead = 1000 * HOUR
      expect(await scene.ask()).toBe(200)
      expect(renewals(scene)).toBe(0)
      scene.server.endAccess()
      expect(await scene.ask()).toBe(200)
      expect(renewals(scene)).toBe(1)
    },
  )
})

describe("a token that the server refuses", () => {
  it("is renewed, and the request is sent again", async () => {
    await using scene = await createAuthorizedScene()
    scene.server.endAccess()
    expect(await scene.ask()).toBe(200)
    expect(scene.server.requests.slice(-3)).toEqual(["POST /mcp", "POST /token refresh_token", "POST /mcp"])
  })

  it("is not renewed again and again", async () => {
    await using scene = await createAuthorizedScene()
    scene.server.behaviour.isClosed = true
    expect([await scene.ask(), await scene.ask(), await scene.ask()]).toEqual([401, 401, 401])
    expect(renewals(scene)).toBe(1)
  })

  it("and cannot be renewed is removed; after authorizing elsewhere it goes on without a restart", async () => {
    await using scene = await createAuthorizedScene()
    scene.server.endAll()
    expect([await scene.ask(), await scene.ask()]).toEqual([401, 401])
    expect(renewals(scene)).toBe(1)
    expect((await scene.authorizer.state(scene.configured)).isAuthorized).toBe(false)

    const running = scene.again()
    expect(await scene.ask("tools/list", running)).toBe(401)
    await scene.authorize()

    expect(await scene.ask("tools/list", running)).toBe(200)
    expect(scene.server.count("POST /register")).toBe(1)
  })

  it("and cannot be renewed now is said to be so, and kept", async () => {
    await using scene = await createAuthorizedScene()
    scene.server.endAccess()
    scene.server.behaviour.renewalStatus = 502
    await expect(scene.ask()).rejects.toThrow("could not be renewed: HTTP 502")

    delete scene.server.behaviour.renewalStatus
    expect(await scene.ask()).toBe(200)
  })
})

describe("renewed tokens that cannot be written", () => {
  it("are used by this process, and written later", async () => {
    await using scene = await createAuthorizedScene()
    const store = createFileTokenStore(join(scene.dataDirectory, "mcp-auth.json"), () => undefined)
    let isFull = true
    const change: TokenStore["change"] = (key, edit) => {
      return isFull ? Promise.reject(new Error("ENOSPC: no space left")) : store.change(key, edit)
    }
    const authorizer = scene.again({ store: { ...store, change } })
    scene.server.endAccess()
    await expect(scene.ask("tools/list", authorizer)).rejects.toThrow("ENOSPC")

    expect(await scene.ask("tools/list", authorizer)).toBe(200)
    scene.server.endAccess()
    await expect(scene.ask("tools/list", authorizer)).rejects.toThrow("ENOSPC")
    isFull = false
    expect(await scene.ask("tools/list", authorizer)).toBe(200)

    expect(await scene.ask("tools/list", scene.again())).toBe(200)
    expect(renewals(scene)).toBe(2)
    expect(scene.server.mistakes).toEqual([])
  })
})

describe("a renewal that has begun", () => {
  it("is carried to its end though who waits for it has gone", async () => {
    await using scene = await createAuthorizedScene()
    const { promise, resolve } = Promise.withResolvers<void>()
    scene.server.behaviour.afterRotation = promise
    scene.clock.ahead = HOUR
    const controller = new AbortController()
    const asked = scene.authorizer.fetchFor(scene.configured, fetch)(scene.server.url, {
      method: "POST",
      signal: controller.signal,
    })
    await until(() => renewals(scene) === 1, "a renewal")
    controller.abort(new Error("enough"))
    await expect(asked).rejects.toThrow("enough")

    const closing = scene.authorizer.close()
    resolve()
    await closing

    expect(await scene.ask("tools/list", scene.again())).toBe(200)
    expect(renewals(scene)).toBe(1)
    expect(scene.server.mistakes).toEqual([])
  })

  it("does not bring back what logging out has removed", async () => {
    await using scene = await createAuthorizedScene()
    const { promise, resolve } = Promise.withResolvers<void>()
    scene.server.behaviour.afterRotation = promise
    scene.clock.ahead = HOUR
    const asked = scene.ask()
    await until(() => renewals(scene) === 1, "a renewal")

    const out = scene.again().logout(scene.configured)
    resolve()

    expect(await asked).toBe(200)
    expect(await out).toEqual({ wasAuthorized: true, isRevoked: true })
    expect(await scene.ask()).toBe(401)
  })
})
