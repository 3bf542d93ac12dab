import { createHash } from "node:crypto"
import { describe, expect, it } from "vitest"
import { callWorld } from "../../test/call-world.ts"
import { testTool } from "../../test/engine-fixture.ts"
import type { FileRecorder } from "../contracts/tool.ts"
import type { Part, ToolPart } from "../record/message.ts"

const bytes = (text: string) => new TextEncoder().encode(text)
const hash = (content: Uint8Array) => createHash("sha256").update(content).digest("hex")
const image = (text: string) => ({ hash: `sha256:${hash(bytes(text))}`, blob: hash(bytes(text)), size: text.length })

/** The call of a tool that does this with its files; `stored` reads the part as another process would. */
async function writing(work: (files: FileRecorder, stored: () => Promise<ToolPart | undefined>) => Promise<void>) {
  const world = await callWorld({
    tools: [testTool("write", async (_input, { files }) => (await work(files, stored), "written"))],
  })
  const part = world.newPart("write")
  const stored = async () => (await world.readParts()).find((each: Part): each is ToolPart => each.id === part.id)
  return { ...(await world.run(part)), world }
}

describe("what a call's files held", () => {
  it("before is stored, with its bytes, when the tool may write", async () => {
    let early: ToolPart | undefined
    const { part, world } = await writing(async (files, stored) => {
      await files.before("/a", bytes("old"), 0o644)
      early = await stored()
      await files.after("/a", bytes("new"), 0o755)
    })
    expect(early).toMatchObject({ state: { status: "running" } })
    expect(early?.changes).toEqual([{ path: "/a", before: { ...image("old"), mode: 0o644 } }])
    expect(await world.storage.blobs.get(hash(bytes("old")))).toEqual(bytes("old"))
    expect(part).toMatchObject({ state: { status: "completed" } })
    expect(part.changes).toEqual([
      { path: "/a", before: { ...image("old"), mode: 0o644 }, after: { ...image("new"), mode: 0o755 } },
    ])
    expect(await world.storage.blobs.get(hash(bytes("new")))).toEqual(bytes("new"))
  })

  it("is the first before and the last after of each, in the order of their first change", async () => {
    const { part } = await writing(async (files) => {
      await Promise.all([files.before("/b", bytes("1")), files.before("/b", bytes("2"))])
      await files.before("/a", undefined)
      await files.after("/b", bytes("3"))
      await files.after("/a", bytes("new"))
      await files.before("/b", bytes("3"))
      await files.after("/b", undefined)
    })
    expect(part.changes).toEqual([
      { path: "/b", before: image("1"), after: null },
      { path: "/a", before: null, after: image("new") },
    ])
  })

  it("is no change where it is the same again", async () => {
    const { part } = await writing(async (files) => {
      for (const [path, content] of [
        ["/same", bytes("x")],
        ["/never", undefined],
      ] as const) {
        await files.before(path, content)
        await files.after(path, content)
      }
      await files.before("/mode", bytes("x"), 0o644)
      await files.after("/mode", bytes("x"), 0o755)
    })
    expect(part.changes?.map(({ path }) => path)).toEqual(["/mode"])
    const unchanged = await writing(async (files) => {
      await files.before("/a", bytes("x"))
      await files.after("/a", bytes("x"))
    })
    expect(unchanged.part).not.toHaveProperty("changes")
  })

  it("is kept where the call fails, without an after that nobody knows", async () => {
    const { part } = await writing(async (files) => {
      await files.before("/a", bytes("old"))
      throw new Error("disk full")
    })
    expect(part).toMatchObject({ state: { status: "error" }, changes: [{ path: "/a", before: image("old") }] })
    expect(part.changes?.[0]).not.toHaveProperty("after")
  })

  it("is a hash alone where it is beyond ten megabytes", async () => {
    const large = new Uint8Array(10 * 1024 * 1024 + 1)
    const { part, world } = await writing(async (files) => {
      await files.before("/large", large)
      await files.after("/large", undefined)
    })
    expect(part.changes?.[0]?.before).toEqual({ hash: `sha256:${hash(large)}`, size: large.length })
    expect(await world.storage.blobs.get(hash(large))).toBeUndefined()
  })

  it("has to be told before the file is written", async () => {
    const { part } = await writing((files) => files.after("/a", bytes("new")))
    expect(part.state).toMatchObject({
      status: "error",
      error: expect.stringMatching(/without files\.before/) as string,
    })
  })

  it("is not stored for a call that has been stopped, which therefore does not write", async () => {
    const controller = new AbortController()
    let outcome: unknown
    const world = await callWorld({
      signal: controller.signal,
      tools: [
        testTool("write", async (_input, { files }) => {
          controller.abort(new Error("stop"))
          outcome = await files.before("/a", bytes("old")).catch((error: unknown) => error)
          return ""
        }),
      ],
    })
    await world.run(world.newPart("write"))
    expect(outcome).toMatchObject({ message: "stop" })
  })

  it("cannot be told once the blob is refused, and can be tried again", async () => {
    let isFull = true
    const world = await callWorld({
      tools: [
        testTool("write", async (_input, { files }) => {
          const first = await files.before("/a", bytes("old")).catch(() => "refused")
          isFull = false
          await files.before("/a", bytes("old"))
          await files.after("/a", undefined)
          return String(first)
        }),
      ],
    })
    const { blobs } = world.storage
    const put = blobs.put.bind(blobs)
    blobs.put = (content) => (isFull ? Promise.reject(new Error("disk full")) : put(content))
    const { part } = await world.run(world.newPart("write"))
    expect(part).toMatchObject({ state: { output: "refused" }, changes: [{ before: image("old"), after: null }] })
  })
})
