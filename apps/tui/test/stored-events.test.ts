import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { openRuntime, processHost, type Runtime } from "@pawl/runtime"
import { expect, it, onTestFinished } from "vitest"
import { createShownSession } from "../src/shown-session.ts"
import { createRuntimeSource } from "../src/source/runtime-source.ts"

const LONG = { timeout: 30_000 }

/** Opens engines that share a storage, as processes do. */
async function engines(script: readonly object[]) {
  const home = await realpath(await mkdtemp(join(tmpdir(), "pawl-tui-")))
  const directory = await realpath(await mkdtemp(join(tmpdir(), "pawl-tui-")))
  const file = join(home, "script.jsonl")
  await writeFile(file, script.map((line) => `${JSON.stringify(line)}\n`).join(""))
  onTestFinished(async () => {
    for (const each of [home, directory]) await rm(each, { recursive: true, force: true })
  })
  return async (): Promise<Runtime> => {
    const host = processHost({ directory, home, environment: { PATH: process.env["PATH"], HOME: home } })
    const runtime = await openRuntime({
      ...{ directory, host, askPolicy: "wait", session: { type: "new" } },
      ...{ storage: `sqlite:${join(home, "sessions.db")}`, model: { script: file, pace: 0 } },
    })
    onTestFinished(() => runtime.close())
    return runtime
  }
}

it("shows what another process does in the shown session, each thing once", async () => {
  const hook = { tool: "write", input: { filePath: ".git/hooks/post-commit", content: "#!/bin/sh\n" } }
  const open = await engines([{ reply: [{ text: "One." }] }, { reply: [hook] }, { reply: [{ text: "Two." }] }])
  const [here, other] = [await open(), await open()]
  const source = createRuntimeSource({ runtime: here, mask: (text) => text })
  const shown = createShownSession({ source, now: Date.now, onChange: () => undefined, onModel: () => undefined })
  onTestFinished(shown.close)
  const { view } = shown.store
  const texts = () => view().blocks.flatMap((block) => ("text" in block ? [`${block.type}: ${block.text}`] : []))
  await shown.begin()
  const sessionID = view().session?.id ?? expect.fail("There is no session.")
  await source.prompt({ sessionID, text: "First" })
  expect(texts()).toEqual(["prompt: First", "text: One."])

  const answered = other.engine.prompt({ sessionID, parts: [{ type: "text", text: "Second" }] })
  await expect.poll(() => view().questions, LONG).toHaveLength(1)
  expect(view().status).toBe("busy")
  const [question] = view().questions
  if (question) await source.answer(question, { type: "permission", reply: "once" })
  await answered

  await expect.poll(texts, LONG).toEqual(["prompt: First", "text: One.", "prompt: Second", "text: Two."])
  await expect.poll(() => view().status, LONG).toBe("idle")
  expect(view().questions).toEqual([])
  expect(view().blocks.filter(({ type }) => type === "tool")).toHaveLength(1)
})
