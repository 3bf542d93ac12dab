import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createEngine, type SessionID } from "@pawl/core"
import { call, modelServer, reply, requestPrefix, text } from "@pawl/model-server"
import { openAICompatible } from "@pawl/provider-openai-compatible"
import { sqliteStorage } from "@pawl/storage-sqlite"
import { builtinTools } from "@pawl/tools"
import { expect, it } from "vitest"

const STEPS = 200

it(`sends in each of ${STEPS} steps the bytes of the step before and more, also across a restart`, async () => {
  const directory = await mkdtemp(join(tmpdir(), "pawl-prefix-"))
  await writeFile(
    join(directory, "note.txt"),
    Array.from({ length: STEPS + 10 }, (_, line) => `Line ${line} – ünïcödé`).join("\n"),
  )
  const readLine = (n: number) =>
    reply(text(`Reading line ${n}.`), call("read", { filePath: "note.txt", offset: n + 1, limit: 1 }))
  const replies = Array.from({ length: STEPS }, (_, n) => (n === STEPS / 2 ? reply(text("Half of it.")) : readLine(n)))
  await using server = await modelServer({ replies: [...replies, reply(text("All of it."))] })
  const path = join(directory, "pawl.db")

  const sessionID = await ask(server.url, path, directory, "Read the first half")
  await ask(server.url, path, directory, "And the second", sessionID)

  const requests = server.requests.filter((request) => request.method === "POST")
  expect(requests).toHaveLength(STEPS + 1)
  for (const [index, older] of requests.slice(0, -1).entries()) {
    expect(
      requestPrefix(older.raw, requests[index + 1]?.raw ?? Buffer.alloc(0)),
      `request ${index + 2}`,
    ).toBeUndefined()
  }
  await rm(directory, { recursive: true })
})

/** Each call is a process's life: storage and engine are opened and closed. */
async function ask(
  baseURL: string,
  path: string,
  directory: string,
  prompt: string,
  continued?: SessionID,
): Promise<SessionID> {
  const storage = await sqliteStorage({ path })
  const providers = [openAICompatible({ id: "local", baseURL, models: [{ id: "scripted" }] })]
  const engine = await createEngine({
    storage,
    providers,
    tools: builtinTools(),
    model: { providerID: "local", modelID: "scripted" },
  })
  try {
    const sessionID = continued ?? (await engine.createSession({ directory })).id
    const result = await engine.prompt({ sessionID, parts: [{ type: "text", text: prompt }] })
    expect(result.type).toBe("answered")
    return sessionID
  } finally {
    await engine.close()
    await storage.close()
  }
}
