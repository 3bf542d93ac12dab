import { describe, expect, it } from "vitest"
import { defaultPrompt } from "../prompt/default-prompt.ts"
import { systemPrompt, type SystemPromptInput } from "./system-prompt.ts"

const input: SystemPromptInput = {
  agent: { name: "build" },
  session: {
    id: "ses_1",
    projectID: "global",
    directory: "/srv/app",
    title: "Work",
    version: "1",
    time: { created: Date.UTC(2026, 1, 3, 12), updated: Date.UTC(2026, 5, 1) },
  },
  model: { providerID: "acme", modelID: "small" },
  worktree: "/srv",
  instructions: [],
  platform: "linux",
}

it("has a block that is the same for every session of the agent, and one for this session", () => {
  const [stable, own, ...more] = systemPrompt(input)
  const elsewhere = systemPrompt({
    ...input,
    session: { ...input.session, directory: "/else", time: { created: 0, updated: 0 } },
    model: { providerID: "acme", modelID: "large" },
    worktree: undefined,
    instructions: ["Be brief."],
    platform: "win32",
  })

  expect(more).toEqual([])
  expect(elsewhere[0]).toBe(stable)
  expect(elsewhere[1]).not.toBe(own)
})

it("begins with the agent's own prompt, or with the engine's", () => {
  expect(systemPrompt(input)[0]).toBe(defaultPrompt)
  expect(systemPrompt({ ...input, agent: { name: "plan", prompt: "Only plan." } })[0]).toBe("Only plan.")
})

it("says where and on what the agent works", () => {
  expect(systemPrompt(input)[1]).toBe(
    [
      "<env>",
      "Model: acme/small",
      "Working directory: /srv/app",
      "Git repository: yes, root /srv",
      "Platform: linux",
      "Date at the start of the session: 2026-02-03",
      "</env>",
    ].join("\n"),
  )
  expect(systemPrompt({ ...input, worktree: undefined })[1]).toContain("Git repository: no\n")
})

it("ends with the instructions in their order", () => {
  const [, own] = systemPrompt({ ...input, instructions: ["First.", "Second."] })
  expect(own?.endsWith("</env>\n\nFirst.\n\nSecond.")).toBe(true)
})

describe("while a session goes on", () => {
  it("stays the same, whatever is touched and whatever day it is", () => {
    const later = { ...input.session, title: "Renamed", time: { ...input.session.time, updated: Date.UTC(2027, 0, 1) } }
    expect(systemPrompt({ ...input, session: later })).toEqual(systemPrompt(input))
  })
})
