import type { MessageWithParts, Part } from "@pawl/core/storage"
import { memoryStorage } from "@pawl/storage-memory"
import { expect, it } from "vitest"
import { session, store, turn } from "../../test/sessions.ts"
import { exportSession } from "../export.ts"
import { importSession } from "../import.ts"

const secret = ["sk-", "abcdefghijklmnopqrstuvwxyz"].join("")
const image = `data:image/png;base64,${Buffer.from([137, 80, 78, 71, 0, 255]).toString("base64")}`

async function storageWithSecrets() {
  const storage = memoryStorage()
  const output = await storage.blobs.put(Buffer.from(`the key is ${secret}`))
  const binary = await storage.blobs.put(Uint8Array.of(0, 255, 1))
  const stored = session({ share: { url: "https://share.example/x", secret: "s" }, title: `About ${secret}` })
  const [user, assistant] = turn(stored.id, `Use ${secret} in /home/ada`, { blob: output }) as [
    MessageWithParts,
    MessageWithParts,
  ]
  const owner = { sessionID: stored.id, messageID: user.info.id }
  const text = Buffer.from(`TOKEN in ${secret}`).toString("base64")
  const files: Part[] = [
    { ...owner, id: "prt_z1", type: "file", mime: "image/png", url: image },
    { ...owner, id: "prt_z2", type: "file", mime: "text/markdown", url: `data:text/markdown;base64,${text}` },
    { ...owner, id: "prt_z3", type: "file", mime: "application/x", url: `blob:${binary}` },
  ]
  const tool = assistant.parts.map((part) =>
    part.type === "tool"
      ? { ...part, state: { ...part.state, input: { apiKey: "short", filePath: "/home/ada/a", id: secret } } }
      : part,
  )
  await store(storage, stored, [
    { ...user, parts: [...user.parts, ...files] },
    { ...assistant, parts: tool },
  ])
  return { storage, stored, output, binary }
}

it("masks secrets everywhere, in blobs too, and counts them", async () => {
  const { storage, stored, output, binary } = await storageWithSecrets()
  const document = await exportSession(storage, stored.id, { sanitize: { level: "secrets", homes: [] } })
  const text = JSON.stringify(document)
  expect(text).not.toContain(secret)
  expect(text).not.toContain("/ada")
  expect(text).not.toContain("share.example")
  const contents = document.blobs.map(({ base64 }) => Buffer.from(base64, "base64").toString("latin1"))
  expect(contents.toSorted()).toEqual(["\0\u00ff\u0001", "the key is [removed:secret.key]"])
  expect(text).not.toContain(output)
  expect(text).toContain(binary)
  const file = document.sessions[0]?.messages[0]?.parts.find(
    (part) => part.type === "file" && part.mime === "text/markdown",
  )
  const url = file?.type === "file" ? file.url : ""
  expect(Buffer.from(url.split(",")[1] ?? "", "base64").toString()).toBe("TOKEN in [removed:secret.key]")
  expect(document.report.removed).toEqual({
    "path.home": 7,
    "secret.field": 1,
    "secret.key": 6,
    share: 1,
    unchecked: 2,
  })
  const [user, assistant] = document.sessions[0]?.messages ?? []
  expect(document.report.places).toEqual({
    [stored.id]: { "secret.key": 1 },
    [`${user?.info.id} prompt`]: { "secret.key": 1 },
    [`${user?.info.id} file`]: { "secret.key": 1 },
    [`${assistant?.info.id} tool read`]: { "secret.field": 1, "secret.key": 2 },
    [`${assistant?.info.id} answer`]: { "secret.key": 1 },
  })
  expect(JSON.stringify(document.report)).not.toContain(secret)
})

it("masks a private key whose lines are strings of their own, and nothing behind it", async () => {
  const storage = memoryStorage()
  const lines = (kind: string) => [`-----${kind} RSA PRIV`, "ATE KEY-----"].join("")
  const key = [
    lines("BEGIN"),
    "Proc-Type: 4,ENCRYPTED",
    "",
    "MIIEowIBAAKCAQEAx1y2",
    "AbCdEfGh==",
    lines("END"),
    "after",
  ]
  const stored = session({ directory: "/srv", metadata: { key, cut: key.slice(0, 4), text: "a sentence" } })
  await store(storage, stored, [])

  const document = await exportSession(storage, stored.id, { sanitize: { level: "secrets", homes: [] } })

  const [begun, gone] = ["[removed:secret.private-key]", "[removed:secret.field]"]
  expect(document.sessions[0]?.session.metadata).toEqual({
    key: [begun, gone, "", gone, gone, gone, "after"],
    cut: [begun, gone, "", gone],
    text: "a sentence",
  })
})

it("changes nothing but what it masks", async () => {
  const storage = memoryStorage()
  const stored = session({ directory: "/srv/x" })
  await store(storage, stored, [])
  const document = await exportSession(storage, stored.id, { sanitize: { level: "secrets", homes: [] } })
  expect(document.sessions[0]?.session).toEqual(stored)
  expect(document.report.removed).toEqual({})
})

it("removes all content where that is asked for", async () => {
  const { storage, stored } = await storageWithSecrets()
  const document = await exportSession(storage, stored.id, { sanitize: { level: "content" } })
  const words = JSON.stringify(document.sessions).match(
    /[^"]*(?:\/ada|Use|About|about|read |hm|key is|a\.ts|data:)[^"]*/g,
  )
  expect(words).toBeNull()
  expect(document.blobs).toEqual([])
  expect(document.report.removed).toMatchObject({ file: 3, share: 1 })
})

it.each(["secrets", "content"] as const)("makes a document that can be imported (%s)", async (level) => {
  const { storage, stored } = await storageWithSecrets()
  const document = await exportSession(storage, stored.id, { sanitize: { level } })
  const target = memoryStorage()
  const report = await importSession(target, JSON.parse(JSON.stringify(document)))
  expect(report).toMatchObject({
    messages: 2,
    parts: 7,
    warnings: [expect.stringContaining("was masked when it was exported")],
  })
  const { messages } = await target.readContext(stored.id)
  expect(messages[1]?.parts[1]).toMatchObject({ type: "tool", tool: "read", callID: "call_1" })
})

it.each(["secrets", "content"] as const)("leaves how a prompt is delivered as it is (%s)", async (level) => {
  const storage = memoryStorage()
  const stored = session()
  const delivery = { mode: "queue", state: "waiting", agent: "session" } as const
  const [user] = turn(stored.id, "x") as [MessageWithParts]
  await store(storage, stored, [{ ...user, info: { ...user.info, delivery } as MessageWithParts["info"] }])
  const document = await exportSession(storage, stored.id, { sanitize: { level } })
  expect(document.sessions[0]?.messages[0]?.info).toMatchObject({ delivery })
})

it("masks what the one who exports knows to be secret", async () => {
  const { storage, stored } = await storageWithSecrets()
  const mask = (text: string, count: (kind: string) => void) => {
    if (text.includes("Use")) count("secret.value")
    return text.replace("Use", "[removed:MINE]")
  }
  const document = await exportSession(storage, stored.id, { sanitize: { level: "secrets", homes: [], mask } })

  expect(JSON.stringify(document)).toContain("[removed:MINE]")
  expect(document.report.removed).toMatchObject({ "secret.value": 2 })
})

it("leaves the storage as it is", async () => {
  const { storage, stored } = await storageWithSecrets()
  const before = JSON.stringify(await exportSession(storage, stored.id))
  await exportSession(storage, stored.id, { sanitize: { level: "content" } })
  expect(JSON.stringify(await exportSession(storage, stored.id))).toBe(before)
})

it("takes the signature from a thought that it changed", async () => {
  const storage = memoryStorage()
  const stored = session()
  const messages = turn(stored.id, "x").map(({ info, parts }) => ({
    info,
    parts: parts.map((part) => (part.type === "reasoning" ? { ...part, text: `with ${secret}` } : part)),
  }))
  await store(storage, stored, messages)
  const document = await exportSession(storage, stored.id, { sanitize: { level: "secrets" } })
  expect(document.sessions[0]?.messages[1]?.parts[0]).not.toHaveProperty("metadata")
})

it.each(["secrets", "content"] as const)(
  "finds what a field is called by, in metadata and arguments (%s)",
  async (level) => {
    const storage = memoryStorage()
    const stored = session()
    const listed = { diagnostics: { "/home/lovelace/a.ts": ["x"], [secret]: 1 }, exit: 0 }
    const messages = turn(stored.id, "x").map(({ info, parts }) => ({
      info,
      parts: parts.map((part) => {
        if (part.type !== "tool" || part.state.status !== "completed") return part
        return { ...part, state: { ...part.state, metadata: { ...part.state.metadata, ...listed } } }
      }),
    }))
    await store(storage, stored, messages)

    const text = JSON.stringify(await exportSession(storage, stored.id, { sanitize: { level } }))

    expect(text).not.toContain("lovelace")
    expect(text).not.toContain(secret)
    expect(text).toMatch(/"diagnostics":.*"exit":0/)
  },
)
