import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { call, finish, text } from "@pawl/provider-replay"
import { builtinTools } from "@pawl/tools"
import { expect, it } from "vitest"
import { got, serving } from "../test/serving.ts"

const ask = [{ name: "configuration", rules: [{ permission: "*", pattern: "*", action: "ask" }] }] as const

/** Lets the model make a call, and returns the question about it. */
async function asked(tool: string, input: Record<string, string>) {
  const replies = [[call(tool, input), finish("tool-calls")] as const, [text("Done."), finish("stop")] as const]
  const scene = await serving({ tools: [...builtinTools()], replies, permission: ask, askPolicy: "wait" })
  const { client, said } = scene
  const { id } = got(await client.session.create())
  await client.session.promptAsync({ path: { id }, body: { parts: [{ type: "text", text: "Work" }] } })
  const questions = () => said.filter(({ type }) => type === "permission.asked")
  await expect.poll(() => questions().length, { timeout: 20_000 }).toBeGreaterThan(0)
  const question = questions().at(-1)?.properties as {
    readonly metadata: Record<string, string>
    readonly tool: object
  }
  await scene.engine.abort(id as never)
  return { ...question, scene }
}

it("shows the command of a question", async () => {
  const { metadata, tool, scene } = await asked("bash", { command: "rm -rf build" })
  await using _scene = scene
  expect(metadata).toMatchObject({ command: "rm -rf build" })
  expect(tool).toMatchObject({ messageID: expect.stringMatching(/^msg_/), callID: expect.any(String) })
})

it("shows the difference that an edit and a write would make", async () => {
  const edit = await asked("edit", { filePath: "read.me", oldString: "one", newString: "ONE" })
  await using _edit = edit.scene
  expect(edit.metadata["filepath"]).toBe(join(edit.scene.directory, "read.me"))
  expect(edit.metadata["diff"]).toContain("-one\n")
  expect(edit.metadata["diff"]).toContain("+ONE\n")
  const write = await asked("write", { filePath: "read.me", content: "one\ntwo\nthree\n" })
  await using _write = write.scene
  expect(write.metadata["diff"]).toContain(" two\n+three\n")
  expect(write.metadata["diff"]).not.toContain("-one")
  expect(await readFile(join(write.scene.directory, "read.me"), "utf8")).toBe("one\ntwo\n")
})

it("does not show the old content of a hidden file", async () => {
  const { metadata, scene } = await asked("write", { filePath: ".git/config", content: "[core]\n" })
  await using _scene = scene
  expect(metadata["diff"]).toBeUndefined()
})

it("shows a call that waits for a permission as running, with its input and the time of its part", async () => {
  const { tool, scene } = await asked("bash", { command: "rm -rf build" })
  await using _scene = scene
  const { callID } = tool as { callID: string }
  const at = scene.said.findIndex(({ type }) => type === "permission.asked")
  const parts = scene.said.slice(0, at).flatMap(({ type, properties }) => {
    const { part } = properties as { part?: { callID?: string; state: { input: object; time?: { start: number } } } }
    return type === "message.part.updated" && part?.callID === callID ? [part.state] : []
  })

  // What the model has not finished writing is pending.
  expect(parts[0]).toMatchObject({ status: "pending", input: {} })
  expect(parts.at(-1)).toEqual({
    status: "running",
    input: { command: "rm -rf build" },
    time: { start: expect.any(Number) },
  })
  expect(parts.at(-1)?.time?.start).toBeGreaterThan(0)
})
