import type { EngineEvent } from "@pawl/core/plugin"
import type { FilePart, ToolPart } from "@pawl/core/record"
import { expect, it } from "vitest"
import { promptSession } from "./prompt-session.ts"
import type { Served } from "./serve-host.ts"

const owner = { sessionID: "ses_1", messageID: "msg_1" } as const

function readCall(
  id: ToolPart["id"],
  time: { start: number; end: number; compacted?: number },
  rejections: readonly { reason: string; time: number }[] = [],
): ToolPart {
  const attachments = rejections.map((rejected): FilePart => {
    return { id: "prt_9", ...owner, type: "file", mime: "image/png", url: "data:image/png;base64,AAAA", rejected }
  })
  const state = { status: "completed", input: {}, output: "", title: id, metadata: {}, time, attachments } as const
  return { id, ...owner, type: "tool", callID: id, tool: "read", state }
}

it("tells of each call that ends, and of none that is stored again with its output cleared or a file refused", async () => {
  const cleared = readCall("prt_2", { start: 1, end: 2, compacted: 3 })
  const refused = readCall("prt_3", { start: 1, end: 2 }, [{ reason: "too large", time: 3 }])
  const parts = [readCall("prt_1", { start: 1, end: 2 }), cleared, refused]
  let tell: (event: EngineEvent) => void = () => {}
  const engine = {
    subscribe(listener: typeof tell) {
      tell = listener
      return () => {}
    },
    prompt() {
      for (const part of parts)
        tell({ id: part.id, type: "message.part.updated", properties: { ...owner, part, time: 4 } })
      return Promise.resolve({ type: "empty" })
    },
  }
  const said: string[] = []

  await promptSession({ engine, model: { providerID: "p", modelID: "m" } } as unknown as Served, {
    ...{ sessionID: owner.sessionID, text: "Go on.", signal: new AbortController().signal },
    onProgress: (message) => said.push(message),
  })

  expect(said).toEqual(["read: prt_1"])
})
