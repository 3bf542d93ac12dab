import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it, onTestFinished } from "vitest"
import { readTuiSettings } from "./tui-settings.ts"
import { createSwitchingTheme, themeOfColors, themeOfReport } from "./themes.ts"

async function fileWith(text: string): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "pawl-tui-"))
  onTestFinished(() => rm(directory, { recursive: true }))
  const file = join(directory, "tui.json")
  await writeFile(file, text)
  return file
}

describe("the settings", () => {
  it("are the defaults without a file", async () => {
    expect(await readTuiSettings("/nowhere/tui.json")).toEqual({
      notify: "osc",
      editor: "default",
      diff: "auto",
      theme: "auto",
      keys: {},
    })
  })

  it("are read", async () => {
    const file = await fileWith('{"notify":"off","theme":"light","statusLine":{"command":"date"}}')

    expect(await readTuiSettings(file)).toEqual({
      ...{ notify: "off", editor: "default", diff: "auto", theme: "light", statusLine: { command: "date" }, keys: {} },
    })
  })

  it.each(["{", '{"theme":"pink"}', '{"statusLine":{"command":""}}'])(
    "are refused with the file's name for %s",
    async (text) => {
      const file = await fileWith(text)
      await expect(readTuiSettings(file)).rejects.toThrow(file)
    },
  )
})

describe("the theme", () => {
  it.each([
    ["\u001B]11;rgb:ffff/ffff/ffff\u0007", "light"],
    ["\u001B]11;rgb:1e/1e/2e\u001B\\", "dark"],
    ["\u001B]11;rgba:fdfd/f6f6/e3e3/ffff\u0007", "light"],
    ["\u001B]11;?\u0007", undefined],
  ])("of the report %j is %s", (report, theme) => {
    expect(themeOfReport(report)).toBe(theme)
  })

  it.each([
    ["15;0", "dark"],
    ["0;15", "light"],
    ["0;default;7", "light"],
    [undefined, undefined],
  ])("of COLORFGBG %j is %s", (colors, theme) => {
    expect(themeOfColors(colors)).toBe(theme)
  })

  it("can be replaced while parts hold it", () => {
    const { theme, use } = createSwitchingTheme("none")
    const { warn } = theme
    expect(warn("text")).toBe("text")

    use("light")

    expect(warn("text")).toBe("\u001B[38;5;130mtext\u001B[39m")
  })
})
