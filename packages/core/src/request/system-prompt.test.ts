import { execFileSync } from "node:child_process"
import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it, onTestFinished, vi } from "vitest"
import { defaultPrompt } from "./default-prompt.ts"
import { createWorkspace } from "../../../workspace/src/index.ts"
import { systemBlocks, type SystemPromptInput, systemSources } from "./system-prompt.ts"

const systemPrompt = (given: SystemPromptInput) => systemBlocks(systemSources(given))

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
    instructions: [{ path: "/a", text: "Be brief." }],
    platform: "win32",
  })

  expect(more).toEqual([])
  expect(elsewhere[0]).toBe(stable)
  expect(elsewhere[1]).not.toBe(own)
})

it("begins with the agent's own prompt, or with that of the model", () => {
  expect(systemPrompt(input)[0]).toBe(defaultPrompt)
  const modelPrompt = "You are pawl, and write few files."
  expect(systemPrompt({ ...input, modelPrompt })[0]).toBe(modelPrompt)
  expect(systemPrompt({ ...input, modelPrompt, agent: { name: "plan", prompt: "Only plan." } })[0]).toBe("Only plan.")
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
  const [, own] = systemPrompt({
    ...input,
    instructions: [
      { path: "/a", text: "First." },
      { path: "/b", text: "Second." },
    ],
  })
  expect(own?.endsWith("</env>\n\nInstructions from: /a\nFirst.\n\nInstructions from: /b\nSecond.")).toBe(true)
})

describe("while a session goes on", () => {
  it("stays the same, whatever is touched and whatever day it is", () => {
    const later = { ...input.session, title: "Renamed", time: { ...input.session.time, updated: Date.UTC(2027, 0, 1) } }
    expect(systemPrompt({ ...input, session: later })).toEqual(systemPrompt(input))
  })
  it("stays the same over midnight", () => {
    onTestFinished(() => void vi.useRealTimers())
    vi.useFakeTimers({ now: Date.UTC(2026, 1, 3, 23, 59, 59, 999) })
    const before = systemPrompt(input)
    vi.setSystemTime(Date.UTC(2026, 1, 4))
    expect(systemPrompt(input)).toEqual(before)
  })

  it("stays the same after a commit, and with changes that are not committed", async () => {
    const directory = await realpath(await mkdtemp(join(tmpdir(), "pawl-prompt-")))
    onTestFinished(() => rm(directory, { recursive: true }))
    const git = (...args: string[]) => {
      const author = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"]
      execFileSync("git", [...author, ...args], { cwd: directory, stdio: "ignore" })
    }
    git("init")
    const prompt = async () => {
      const workspace = createWorkspace()
      const worktree = await workspace.findWorktree(directory)
      const { instructions } = await workspace.loadInstructions({
        directory,
        worktree: worktree ?? directory,
        files: [],
      })
      return systemPrompt({ ...input, session: { ...input.session, directory }, worktree, instructions })
    }

    const before = await prompt()
    await writeFile(join(directory, "a.ts"), "")
    const dirty = await prompt()
    git("add", "a.ts")
    git("commit", "-m", "More")
    git("checkout", "-b", "other")

    expect(before[1]).toContain(`Git repository: yes, root ${directory}\n`)
    expect([dirty, await prompt()]).toEqual([before, before])
  })
})
