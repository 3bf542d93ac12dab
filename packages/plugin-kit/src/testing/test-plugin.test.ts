import { existsSync, mkdtempSync, readdirSync, readFileSync, rmdirSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, describe, expect, it, vi } from "vitest"
import { definePlugin } from "../index.ts"
import { finish, testPlugin, text } from "./index.ts"

afterEach(() => vi.unstubAllEnvs())

describe("testPlugin", () => {
  it("shows what was stored and what was sent", async () => {
    const plugin = definePlugin(({ options }) => ({
      "chat.system.transform": (_input, output) => void output.system.push(`Speak ${String(options["language"])}.`),
      "text.complete": (_input, output) => void (output.text += " [checked]"),
    }))
    await using test = await testPlugin(plugin, {
      options: { language: "Latin" },
      replies: [[text("Salve."), finish("stop")]],
    })

    expect(await test.ask("Hello")).toMatchObject({ type: "answered" })

    expect(test.requests[0]?.system.at(-1)).toBe("Speak Latin.")
    expect((await test.parts("text")).map((part) => part.text)).toEqual(["Hello", "Salve. [checked]"])
    expect(test.events.map(({ type }) => type)).toContain("session.idle")
    expect(test.problems).toEqual([])
  })

  it("compacts before the prompt that does not fit the window, and not at the end of a run", async () => {
    const reasons: string[] = []
    const plugin = definePlugin(() => ({
      "session.compacting": ({ reason }, output) => {
        reasons.push(reason)
        output.summary = "Boats were counted."
      },
    }))
    await using test = await testPlugin(plugin, {
      window: 20_000,
      replies: ["Yes.", "No."].map((said) => [text(said), finish("stop")]),
    })

    await test.ask("All of the boats. ".repeat(3400))
    expect([reasons, test.requests.length]).toEqual([[], 1])
    await test.ask("All of the ships. ".repeat(1200))

    expect([reasons, test.requests.length]).toEqual([["full"], 2])
    expect(JSON.stringify(test.requests[1]?.messages)).toContain("Boats were counted.")
  })

  it("tells what the plugin failed at, and the session goes on", async () => {
    const plugin = definePlugin(() => ({
      "chat.params": () => {
        throw new Error("No idea.")
      },
    }))
    await using test = await testPlugin(plugin, { replies: [[text("Yes."), finish("stop")]] })

    expect(await test.ask("Hello")).toMatchObject({ type: "answered" })

    expect(test.problems).toEqual([{ hook: "chat.params", message: expect.stringContaining("No idea.") }])
  })

  it("rejects, and leaves nothing behind, where the plugin does not start", async () => {
    const own = mkdtempSync(join(tmpdir(), "pawl-start-"))
    vi.stubEnv("TMPDIR", own)
    const seen: string[] = []
    const starting = testPlugin(
      definePlugin(() => {
        seen.push(...readdirSync(own))
        throw new Error("The key is missing.")
      }),
    )
    await expect(starting).rejects.toThrow(/does not start: .*The key is missing/)
    expect(seen).toHaveLength(1)
    expect(readdirSync(own)).toEqual([])
    rmdirSync(own)
  })

  it("works in a directory with the given files, and removes it", async () => {
    const test = await testPlugin(
      definePlugin(() => ({})),
      { files: { "src/a.txt": "one" } },
    )
    expect(readFileSync(join(test.directory, "src/a.txt"), "utf8")).toBe("one")
    await test[Symbol.asyncDispose]()
    expect(existsSync(test.directory)).toBe(false)
  })

  it("refuses what its rules refuse", async () => {
    await using test = await testPlugin(
      definePlugin(() => ({})),
      { permission: [{ permission: "*", pattern: "*", action: "deny" }], replies: [[text("Yes."), finish("stop")]] },
    )
    await test.ask("Hello")
    expect(test.requests[0]?.tools).toEqual([])
  })
})
