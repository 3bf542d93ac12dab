import { expect, it } from "vitest"
import { conversation, said } from "../../test/conversation.ts"
import { createIDSource } from "../base/ids.ts"
import { loadedInstructions } from "./loaded.ts"

const talk = () => {
  const ids = createIDSource(() => 1)
  return conversation(ids, ids.session())
}
const time = { start: 1, end: 2 }
const read = (loaded: unknown, changes: object = {}) => ({
  ...{ type: "tool", callID: "call", tool: "read" },
  state: { status: "completed", input: {}, output: "", title: "", metadata: { loaded }, time, ...changes },
})

it("counts what tool results brought, in whatever message, once", () => {
  const at = talk()
  at.user(said("Go"))
  at.assistant({ finish: "tool-calls" }, read(["/p/a/AGENTS.md", "/p/b/AGENTS.md"]), read(["/p/a/AGENTS.md"]))
  at.assistant({}, said("Done"), read(["/p/c/CLAUDE.md"]))

  expect([...loadedInstructions(at.messages)]).toEqual(["/p/a/AGENTS.md", "/p/b/AGENTS.md", "/p/c/CLAUDE.md"])
})

it("counts what the engine repeats in a text, but not what a user or a hidden text says", () => {
  const at = talk()
  const metadata = { loaded: ["/p/a/AGENTS.md"] }
  at.user({ ...said("State"), metadata }, { ...said("State"), synthetic: true, ignored: true, metadata })
  expect(loadedInstructions(at.messages).size).toBe(0)
  at.user({ ...said("State"), synthetic: true, metadata })
  expect([...loadedInstructions(at.messages)]).toEqual(["/p/a/AGENTS.md"])
})

it("does not count what the model cannot read any more, or never could", () => {
  const at = talk()
  at.user(said("Go"))
  at.assistant(
    {},
    read(["/p/a/AGENTS.md"], { time: { ...time, compacted: 3 } }),
    read(["/p/b/AGENTS.md"], { status: "error", error: "No." }),
    read(["/p/c/AGENTS.md"], { status: "running" }),
    read("/p/d/AGENTS.md"),
    read([1, null]),
  )

  expect(loadedInstructions(at.messages).size).toBe(0)
})
