import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { connect } from "@pawl/client"
import { expect, it, onTestFinished } from "vitest"
import { workplace } from "./workplace.ts"

interface Seen {
  readonly type: string
  readonly properties: { readonly sessionID?: string; readonly status?: { readonly type: string } }
}

/** A server whose events are followed, and a function that starts `pawl run` with an answer that does not end. */
async function scene() {
  const place = await workplace()
  const script = join(place.configuration, "endless.jsonl")
  await writeFile(script, `${JSON.stringify({ reply: [{ text: "Half an answer" }, { stall: true }] })}\n`)
  const server = place.start(["serve", "-m", "replay/hello"])
  onTestFinished(() => void server.child.kill("SIGKILL"))
  await server.said("oken")
  const client = await connect({ dataDirectory: place.data })
  const seen: Seen[] = []
  const controller = new AbortController()
  onTestFinished(() => controller.abort())
  const follow = async () => {
    for await (const { event } of client.events({ signal: controller.signal })) seen.push(event as Seen)
  }
  void follow().catch(() => undefined)
  const isFollowing = async () => {
    await client.call("session.create", { body: {} })
    return seen.length > 0
  }
  await expect.poll(isFollowing, { timeout: 20_000, interval: 200 }).toBe(true)
  const { id: last } = await client.call("session.create", { body: {} })
  await expect.poll(() => seen.some(({ properties }) => properties.sessionID === last)).toBe(true)
  seen.length = 0
  const run = () => {
    const started = place.start(["run", "--script", script, "work"])
    onTestFinished(() => void started.child.kill("SIGKILL"))
    return started
  }
  return { client, seen, run }
}

const ofType = (seen: readonly Seen[], type: string) => seen.filter((each) => each.type === type)
const statuses = (seen: readonly Seen[]) => ofType(seen, "session.status").map((each) => each.properties.status?.type)

it("tells clients of a run of another process, and that it cannot end that run", async () => {
  const { client, seen, run } = await scene()
  const { child, finished } = run()
  await expect.poll(() => statuses(seen), { timeout: 20_000 }).toEqual(["busy"])
  await expect.poll(() => ofType(seen, "session.created").length).toBe(1)
  const sessionID = ofType(seen, "session.created")[0]?.properties.sessionID ?? ""
  await expect.poll(() => JSON.stringify(ofType(seen, "message.part.updated")), { timeout: 20_000 }).toContain("work")
  const first = (type: string) => seen.findIndex((each) => each.type === type)
  expect(first("session.created")).toBeLessThan(first("message.updated"))

  const abort = client.call("session.abort", { path: { sessionID } })
  await expect(abort).rejects.toThrow(
    new RegExp(
      `worked on by another process.*\\(pid ${child.pid} on .*Or end it with: pawl session abort ${sessionID}`,
    ),
  )
  expect(child.exitCode).toBeNull()

  child.kill("SIGINT")
  expect((await finished).code).toBe(130)
  await expect.poll(() => statuses(seen), { timeout: 20_000 }).toEqual(["busy", "idle"])
  expect(ofType(seen, "session.idle")).toMatchObject([{ properties: { sessionID } }])
  expect(await client.call("session.abort", { path: { sessionID } })).toBe(true)
})

it("tells clients that a process at work was killed", async () => {
  const { seen, run } = await scene()
  const { child } = run()
  await expect.poll(() => statuses(seen), { timeout: 20_000 }).toEqual(["busy"])
  child.kill("SIGKILL")
  await expect.poll(() => statuses(seen), { timeout: 20_000 }).toEqual(["busy", "idle"])
})
