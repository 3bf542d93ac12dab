import { mkdir, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { describe, expect, it } from "vitest"
import { compacting, conversation, goodSummary, textsOf } from "../test/compacting.ts"
import { compactionPrompt, createCompactionPrompt } from "./plugin.ts"

const DEFAULT_REQUEST = "## Work state"

/** A file of the project. */
function having(path: string, content: string | Uint8Array) {
  return async (directory: string) => {
    const file = join(directory, path)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, content)
  }
}

describe("the template", () => {
  it("is the engine's own without options", async () => {
    const { asked, stored } = await compacting({ plugin: compactionPrompt })
    expect(asked).toContain(DEFAULT_REQUEST)
    expect(stored).toBe(goodSummary)
  })

  it("takes the place of the engine's own, and what is written by it is stored and sent", async () => {
    const template = "## Ticket\nIts number and what it asks for."
    const summary = "## Ticket\n4711: make it blue."
    const { asked, stored, next } = await compacting({ plugin: compactionPrompt, options: { template }, summary })
    expect(asked).toContain(template)
    expect(asked).toContain("Call no tools.")
    expect(asked).not.toContain(DEFAULT_REQUEST)
    expect(stored).toBe(summary)
    expect(textsOf(next)).toContain(summary)
  })

  it("is the agent's where the agent has one", async () => {
    const options = { template: "General.", agents: { plan: { template: "For plans." } } }
    const planned = await compacting({ plugin: compactionPrompt, options, agent: "plan" })
    const built = await compacting({ plugin: compactionPrompt, options, agent: "build" })
    expect(planned.asked).toMatch(/^For plans\./)
    expect(built.asked).toMatch(/^General\./)
  })

  it("is that of the project's file before that of the options", async () => {
    const { asked } = await compacting({
      plugin: compactionPrompt,
      options: { template: "From the options." },
      prepare: having(".pawl/compaction.md", "From the project.\n"),
    })
    expect(asked).toMatch(/^From the project\./)
    expect(asked).not.toContain("From the options.")
  })

  it("is not that of the project's file where the options say so", async () => {
    const prepare = having(".pawl/compaction.md", "From the project.")
    const { asked } = await compacting({ plugin: compactionPrompt, options: { file: false }, prepare })
    expect(asked).not.toContain("From the project.")
    expect(asked).toContain(DEFAULT_REQUEST)
  })

  it("is the default where the file cannot be used: people are told, and the compaction succeeds", async () => {
    const notices: string[] = []
    const plugin = createCompactionPrompt({ notify: (notice) => notices.push(notice) })
    const prepare = having(".pawl/compaction.md", new Uint8Array([0xff, 0xfe, 0x41]))
    const { asked, stored, events } = await compacting({ plugin, prepare })
    expect(asked).toContain(DEFAULT_REQUEST)
    expect(stored).toBe(goodSummary)
    expect(notices).toEqual([expect.stringMatching(/compaction\.md is not used: it is not text in UTF-8/)])
    expect(events.filter(({ type }) => type === "plugin.error" || type === "session.error")).toEqual([])
  })
})

it("sections are asked for besides, the general ones before the agent's", async () => {
  const { asked } = await compacting({
    plugin: compactionPrompt,
    options: {
      sections: [{ title: "Open questions", content: "What nobody has answered." }],
      agents: { build: { sections: [{ title: "Migrations", content: "Which have run." }] } },
    },
  })
  expect(asked).toContain(DEFAULT_REQUEST)
  expect(asked).toMatch(/## Open questions\nWhat nobody has answered\.[^]*## Migrations\nWhich have run\./)
})

describe("a rule of what to keep", () => {
  const prompts = [`KEEP: port 8443, never 443.\n${"Detail. ".repeat(50)}`, ...conversation]

  it.each([1, 2])("leaves messages that match word for word, after %i compactions", async (rounds) => {
    const { next, stored } = await compacting({
      plugin: compactionPrompt,
      options: { keep: [{ pattern: "^KEEP:" }] },
      prompts,
      rounds,
    })
    expect(stored).toBeDefined()
    expect(textsOf(next)).toContain(prompts[0])
    expect(textsOf(next)).not.toContain(prompts[1])
  })

  it("is for messages of the user unless it says otherwise", async () => {
    const answers = ["Noted. KEEP: this as well."]
    const { next: users } = await compacting({
      plugin: compactionPrompt,
      options: { keep: [{ pattern: "KEEP:" }] },
      prompts: conversation,
      answers,
    })
    const { next: any } = await compacting({
      plugin: compactionPrompt,
      options: { keep: [{ pattern: "KEEP:", from: "any", scope: "text" }] },
      prompts: conversation,
      answers,
    })
    expect(textsOf(users)).not.toContain(answers[0])
    expect(textsOf(any)).toContain(answers[0])
  })
})

it("options that cannot be used keep the plugin from starting, and the event says what is wrong", async () => {
  const { events, stored } = await compacting({ plugin: compactionPrompt, options: { tempalte: "x" } })
  expect(stored).toBe(goodSummary)
  expect(events.find(({ type }) => type === "plugin.error")?.properties).toMatchObject({
    plugin: "compaction-prompt",
    message: expect.stringContaining('options: "tempalte" is not known') as string,
  })
})
