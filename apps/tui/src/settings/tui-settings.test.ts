import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { beforeEach, describe, expect, it, onTestFinished } from "vitest"
import { actionsByKey } from "../keys/key-table.ts"
import { readTuiSettings } from "./tui-settings.ts"

let file: string

beforeEach(async () => {
  const directory = await mkdtemp(join(tmpdir(), "pawl-settings-"))
  file = join(directory, "tui.json")
  onTestFinished(() => rm(directory, { recursive: true }))
})

describe("tui.json", () => {
  it("may be missing", async () => {
    expect(await readTuiSettings(file)).toMatchObject({ keys: {} })
  })

  it("selects the keys of the prompt", async () => {
    await writeFile(file, '{ "editor": "vim" }')
    expect(await readTuiSettings(file)).toMatchObject({ editor: "vim" })

    await writeFile(file, '{ "editor": "vi" }')
    await expect(readTuiSettings(file)).rejects.toThrow(/tui\.json: editor: .*"default"\|"vim"/)
  })

  it("replaces the keys of an action", async () => {
    await writeFile(file, '{ "keys": { "fold": "f2", "todos": ["ctrl+o", "alt+t"], "suspend": [] } }')

    const byKey = actionsByKey((await readTuiSettings(file)).keys)

    expect(byKey.get("f2")).toBe("fold")
    expect(byKey.get("ctrl+o")).toBe("todos")
    expect(byKey.get("alt+t")).toBe("todos")
    expect(byKey.get("ctrl+z")).toBeUndefined()
  })

  it.each([
    ['{ "keys": { "fould": "f2" } }', 'unknown action "fould"; did you mean "fold"?'],
    ['{ "keys": { "fold": "ctrl+entr" } }', 'keys.fold: unknown key "ctrl+entr"; did you mean "ctrl+enter"?'],
    ['{ "keys": { "fold": "x" } }', 'keys.fold: unknown key "x"'],
    ['{ "keys": { "fold": "f2", "todos": "f2" } }', '"f2" is the key of two actions: fold and todos'],
    ['{ "keyz": {} }', 'unknown setting "keyz"; did you mean "keys"?'],
    ["{ keys", "JSON"],
  ])("names the file and the problem of %s", async (text, message) => {
    await writeFile(file, text)

    const reading = readTuiSettings(file)

    await expect(reading).rejects.toThrow(message)
    await expect(reading).rejects.toThrow(file)
  })
})
