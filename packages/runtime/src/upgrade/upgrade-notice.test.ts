import { chmod, mkdir, readFile, utimes, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { expect, it } from "vitest"
import { temporaryDirectory } from "../../test/temporary-directory.ts"
import type { Settings } from "../config/settings.ts"
import { isNewer } from "./newer-version.ts"
import { upgradeNotice } from "./upgrade-notice.ts"

it.each([
  ["1.2.4", "1.2.3", true],
  ["2.0.0", "1.9.9", true],
  ["1.10.0", "1.9.0", true],
  ["1.2.3", "1.2.3", false],
  ["1.2.2", "1.2.3", false],
  ["2.0.0-beta.1", "1.0.0", false],
  ["rm -rf", "1.0.0", false],
])("%s comes after %s: %s", (found, own, newer) => {
  expect(isNewer(found, own)).toBe(newer)
})

/** A program named npm that answers, and settings that want to hear of it. */
async function scene(notice = true, isProject = false) {
  const root = await temporaryDirectory()
  await writeFile(join(root, "npm"), `#!/bin/sh\necho "$@" >>'${root}/asked'\necho '"9.8.7"'\n`)
  await chmod(join(root, "npm"), 0o755)
  await mkdir(join(root, "demo"))
  await writeFile(join(root, "package.json"), '{ "version": "1.0.0" }')
  const layers = [{ config: { upgrade: { notice } }, source: join(root, "pawl.jsonc"), isProject }]
  const settings = { layers, dataDirectory: join(root, "data") } as unknown as Settings
  const environment: Record<string, string> = { PATH: `${root}:/usr/bin:/bin` }
  const host = { environment, demoDirectory: join(root, "demo"), stderr: { isTerminal: true } }
  const file = join(settings.dataDirectory, "upgrade/newest.json")
  return {
    root,
    host,
    file,
    asked: () => readFile(join(root, "asked"), "utf8").catch(() => ""),
    ask: () => upgradeNotice(settings, host),
  }
}

it("asks npm once a day without waiting for it, and tells of it the next time", async () => {
  const { ask, asked, file } = await scene()

  expect(ask()).toBeUndefined()
  while ((await readFile(file, "utf8")) === "") await setTimeout(10)
  expect(ask()).toBe("pawl 9.8.7 is there, and this is 1.0.0: npm install --global pawl@9.8.7")
  expect(await asked()).toBe("view pawl version --json\n")

  const before = new Date(Date.now() - 2 * 86_400_000)
  await utimes(file, before, before)
  expect(ask()).toContain("9.8.7")
  while ((await asked()).split("\n").length < 3) await setTimeout(10)
})

it("asks nobody where it is not wanted: by default, by a project, in CI, without a terminal", async () => {
  const [off, project, ci, piped] = await Promise.all([scene(false), scene(true, true), scene(), scene()])
  ci.host.environment["CI"] = "1"
  Object.assign(piped.host, { stderr: { isTerminal: false } })
  for (const each of [off, project, ci, piped]) {
    await mkdir(dirname(each.file), { recursive: true })
    await writeFile(each.file, '"9.8.7"')
    const long = new Date(0)
    await utimes(each.file, long, long)
    expect(each.ask()).toBeUndefined()
    expect(await readFile(each.file, "utf8")).toBe('"9.8.7"')
  }
})
