import type { Part } from "@pawl/core/storage"
import { expect, it } from "vitest"
import { session, turn } from "../test/sessions.ts"
import { messageWithPaths, sessionWithPaths } from "./mapped-paths.ts"

const mappings = [{ from: "/home/ada", to: "/srv" }]
const owner = { id: "prt_1", sessionID: "ses_1", messageID: "msg_1" } as const
const diffs = (file: string) => [{ file, additions: 1, deletions: 0 }]

function moved(part: Part): Part | undefined {
  const [user] = turn("ses_1", "x")
  return user && messageWithPaths({ info: user.info, parts: [part] }, mappings).parts[0]
}

it("moves the session's directory and the files of its summary", () => {
  const summary = { additions: 1, deletions: 0, files: 1 }
  const before = session({
    directory: "/home/ada/x",
    summary: { ...summary, diffs: diffs("/home/ada/x/a") },
    title: "/home/ada",
  })
  expect(sessionWithPaths(before, mappings)).toEqual({
    ...before,
    directory: "/srv/x",
    summary: { ...summary, diffs: diffs("/srv/x/a") },
  })
})

it("moves the files of a prompt's summary", () => {
  const [user] = turn("ses_1", "x")
  if (user?.info.role !== "user") throw new Error("The first message of a turn is the prompt.")
  const { info } = messageWithPaths(
    { ...user, info: { ...user.info, summary: { diffs: diffs("/home/ada/a") } } },
    mappings,
  )
  expect(info).toMatchObject({ summary: { diffs: diffs("/srv/a") } })
})

it("moves files, their sources and patches", () => {
  const text = { value: "@/home/ada/a", start: 0, end: 1 }
  const file = { ...owner, type: "file", mime: "image/png", url: "file:///home/ada/a.png" } as const
  expect(moved({ ...file, source: { type: "file", path: "/home/ada/a.png", text } })).toEqual({
    ...file,
    url: "file:///srv/a.png",
    source: { type: "file", path: "/srv/a.png", text },
  })
  expect(
    moved({ ...file, source: { type: "resource", clientName: "x", uri: "file:///home/ada/r", text } }),
  ).toMatchObject({
    source: { uri: "file:///srv/r" },
  })
  const patch = { ...owner, type: "patch", hash: "x" } as const
  expect(moved({ ...patch, files: ["/home/ada/a", "b"] })).toEqual({ ...patch, files: ["/srv/a", "b"] })
})

it("moves the path fields of a tool call and its attachments, and nothing deeper", () => {
  const time = { start: 1, end: 2 }
  const attachment = { ...owner, type: "file", mime: "image/png", url: "file:///home/ada/a.png" } as const
  const input = { filePath: "/home/ada/a", command: "cat /home/ada/a", path: 7, edits: [{ filePath: "/home/ada/b" }] }
  const state = {
    status: "completed" as const,
    input,
    output: "/home/ada/a",
    title: "/home/ada/a",
    metadata: { filepath: "/home/ada/a", diff: "--- /home/ada/a" },
    attachments: [attachment],
    time,
  }
  expect(moved({ ...owner, type: "tool", callID: "c", tool: "read", state })).toMatchObject({
    state: {
      ...state,
      input: { ...input, filePath: "/srv/a" },
      metadata: { filepath: "/srv/a", diff: "--- /home/ada/a" },
      attachments: [{ ...attachment, url: "file:///srv/a.png" }],
    },
  })
  const pending = { status: "pending" as const, input: { workdir: "/home/ada" }, raw: "/home/ada" }
  expect(moved({ ...owner, type: "tool", callID: "c", tool: "bash", state: pending })).toMatchObject({
    state: { ...pending, input: { workdir: "/srv" } },
  })
})
