import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { expect, it } from "vitest"
import { sqliteStorage } from "../../../storage-sqlite/src/index.ts"
import { answeringModel } from "../answering-model.ts"
import { testEngine } from "../engine-fixture.ts"
import { rounds } from "../rounds.ts"
import { temporaryDirectory } from "../storages.ts"
import { said } from "../streaming-model.ts"
import type { SessionID } from "../../src/base/ids.ts"

/** Processes that are killed. */
const ROUNDS = rounds(10)
const SENT = 6

it("no prompt that a killed owner was sent is lost, and none is read twice", async () => {
  const path = join(await temporaryDirectory(), "pawl.db")
  const storage = await sqliteStorage({ path })
  const model = answeringModel(() => said("Yes."))
  await using test = await testEngine({ model, storage })
  const { id: sessionID } = test.session
  const acknowledged: string[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const owner = await beginWork(path, sessionID)
    for (let at = 0; at < SENT; at++) {
      const clientID = `prompt ${round}.${at}`
      const delivery = (["steer", "queue", "interrupt"] as const)[(round + at) % 3] ?? "queue"
      await test.engine.prompt({ sessionID, parts: [{ type: "text", text: clientID }], delivery, clientID })
      acknowledged.push(clientID)
      if (at === SENT - 2) setTimeout(() => owner.kill("SIGKILL"), (round * 37) % 300)
    }
    if (owner.exitCode === null && owner.signalCode === null) await once(owner, "exit")
    await test.engine.resume(sessionID)
    expect(await test.engine.queue(sessionID)).toEqual([])
  }
  const read: string[] = []
  for await (const { info, parts } of storage.readMessages(sessionID)) {
    const texts = parts.flatMap((part) => (part.type === "text" && part.text.startsWith("prompt ") ? [part.text] : []))
    if (info.role === "user") read.push(...texts)
  }
  expect(read.toSorted()).toEqual(acknowledged.toSorted())
  await storage.close()
})

async function beginWork(path: string, sessionID: SessionID): Promise<ChildProcess> {
  const script = join(import.meta.dirname, "../working-owner.ts")
  const owner = spawn(process.execPath, ["--conditions=@pawl/source", script, path, sessionID], {
    stdio: ["ignore", "pipe", "inherit"],
  })
  await once(owner.stdout, "data")
  await sleep(30)
  return owner
}
