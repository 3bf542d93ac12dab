import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { isSideBySide } from "../src/settings/diff-form.ts"
import { ENTER, ESCAPE, playingApp } from "./playing-app.ts"

const answer = (...parts: object[]) => ({ reply: parts })
const text = (content: string) => ({ text: content })
const call = (tool: string, input: object) => ({ tool, input })

const edit = (filePath: string) => call("write", { filePath, content: "one\nsecond line\n日本語 3\n" })

async function changed(columns: number, diff?: "inline") {
  const script = [
    answer(call("read", { filePath: "a.txt" })),
    answer(edit("a.txt"), edit("b.txt")),
    answer(text("Done.")),
  ]
  const played = await playingApp(script, columns, 30, 0, diff ? { diff } : {})
  await writeFile(join(played.directory, "a.txt"), "one\nfirst line\n日本語 2\n")
  played.type("Change it")
  played.press(ENTER)
  await played.shows("Done.")
  await played.idle()
  played.type("/diff")
  played.press(ENTER)
  await played.shows("▸ All files  +5 -2")
  return played
}

describe("differences", () => {
  it("stand side by side in a wide terminal, for the chosen file", async () => {
    const played = await changed(140)
    await played.shows("a.txt  +2 -2")
    played.press(`${ESCAPE}[B`)
    played.press(ENTER)
    await played.shows("3 + 日本語 3")
    await played.idle()

    const lines = played.terminal.scrollback()
    const from = lines.indexOf("diff --git a/a.txt b/a.txt")
    const old = (line: string, width = 68) => line.padEnd(width)
    expect(lines.slice(from, from + 4)).toEqual([
      "diff --git a/a.txt b/a.txt",
      `${old("1   one")} │ 1   one`,
      `${old("2 - first line")} │ 2 + second line`,
      `${old("3 - 日本語 2", 65)} │ 3 + 日本語 3`,
    ])
    expect(lines).not.toContain("diff --git a/b.txt b/b.txt")
  })

  it("are inline if the settings say so", async () => {
    const played = await changed(140, "inline")
    played.press(ENTER)

    await played.shows("+日本語 3")
    expect(played.terminal.scrollback()).toContain("-first line")
  })

  it("stand side by side in a question", async () => {
    const hook = call("write", { filePath: ".git/hooks/post-commit", content: "#!/bin/sh\necho new\n" })
    const played = await playingApp([answer(hook), answer(text("Done."))], 140, 30)
    played.type("Add a hook")
    played.press(ENTER)

    await played.shows("Allow once")
    await expect
      .poll(() => played.terminal.screen().find((line) => line.includes("echo new")))
      .toMatch(/^│ {2,}│ \+ echo new$/)
  })

  it.each([
    [undefined, 139, false],
    [undefined, 140, true],
    ["auto", 140, true],
    ["inline", 200, false],
    ["side-by-side", 80, true],
    ["side-by-side", 50, false],
  ] as const)("with %s at %i columns: %s", (form, columns, expected) => {
    expect(isSideBySide(form, columns)).toBe(expected)
  })
})
