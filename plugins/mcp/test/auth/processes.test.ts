import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { readdir } from "node:fs/promises"
import { text } from "node:stream/consumers"
import { describe, expect, inject, it } from "vitest"
import { until } from "../scene.ts"
import { type AuthScene, createAuthScene } from "./auth-scene.ts"

const HOUR = 3_600_000
const renewals = ({ server }: AuthScene) => server.count("POST /token refresh_token")

interface Asking {
  readonly process: ChildProcess
  readonly statuses: Promise<string>
}

/** Processes that wait for the word, and then ask all at once. */
async function startAsking(
  { server, dataDirectory }: AuthScene,
  count: number,
  times: number,
  ahead: number,
): Promise<readonly Asking[]> {
  const orders = JSON.stringify({ url: server.url, dataDirectory, times, ahead })
  const started = Array.from({ length: count }, () =>
    spawn(process.execPath, [inject("programs").asking, orders], { stdio: ["pipe", "pipe", "inherit"] }),
  )
  await Promise.all(started.map(({ stdout }) => once(stdout, "data")))
  for (const { stdin } of started) stdin.write("go\n")
  return started.map((child) => ({ process: child, statuses: text(child.stdout).then((said) => said.trim()) }))
}

const litter = async ({ dataDirectory }: AuthScene) =>
  (await readdir(dataDirectory)).filter((name) => name !== "mcp-auth.json")

describe("several processes", () => {
  it("that find a token due at the same moment renew it once", async () => {
    await using scene = await createAuthScene()
    await scene.authorize()
    // The first renewal takes as long as the others need to come.
    scene.server.behaviour.beforeRotation = new Promise((resolve) => setTimeout(resolve, 300))

    const asking = await startAsking(scene, 3, 1, HOUR)

    expect(await Promise.all(asking.map(({ statuses }) => statuses))).toEqual(["200", "200", "200"])
    expect(renewals(scene)).toBe(1)
    expect(scene.server.mistakes).toEqual([])
    expect(await litter(scene)).toEqual([])
  })

  it("lose no token while each request needs another one", async () => {
    await using scene = await createAuthScene({ lifetime: 0.001 })
    await scene.authorize()

    const asking = await startAsking(scene, 3, 6, 0)

    const all = "200 200 200 200 200 200"
    expect(await Promise.all(asking.map(({ statuses }) => statuses))).toEqual([all, all, all])
    // What one has renewed, another one that waited for it takes over.
    expect(renewals(scene)).toBeLessThanOrEqual(18)
    expect(scene.server.mistakes).toEqual([])
    expect(await scene.ask()).toBe(200)
  })
})

describe("a process that is killed while it renews", () => {
  async function killInRenewal(scene: AuthScene): Promise<void> {
    const [child] = await startAsking(scene, 1, 1, HOUR)
    await until(() => renewals(scene) === 1, "a renewal")
    child?.process.kill("SIGKILL")
    await child?.statuses
    await until(() => scene.server.abandoned() === 1, "the end of its connection")
  }

  it("leaves the next one to renew what the authorization server had not renewed yet", async () => {
    await using scene = await createAuthScene()
    await scene.authorize()
    const { promise, resolve } = Promise.withResolvers<void>()
    scene.server.behaviour.beforeRotation = promise
    await killInRenewal(scene)
    resolve()

    scene.clock.ahead = HOUR
    expect(await scene.ask()).toBe(200)
    expect(renewals(scene)).toBe(2)
    expect(scene.server.mistakes).toEqual([])
    expect(await litter(scene)).toEqual([])
  })

  it("takes what was renewed with it: people are asked again, and nothing else is broken", async () => {
    await using scene = await createAuthScene()
    await scene.authorize()
    const { promise, resolve } = Promise.withResolvers<void>()
    scene.server.behaviour.afterRotation = promise
    await killInRenewal(scene)
    resolve()

    scene.clock.ahead = HOUR
    expect(await scene.ask()).toBe(401)
    expect(scene.server.mistakes).toEqual(["refresh token used twice"])
    await scene.authorize()
    expect(await scene.ask()).toBe(200)
    expect(await litter(scene)).toEqual([])
  })
})
