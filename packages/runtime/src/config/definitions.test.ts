import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { expect, it } from "vitest"
import { temporaryDirectory } from "../../test/temporary-directory.ts"
import { readDefinedSettings } from "./definitions.ts"

it("takes of a project's agent files what they may only say once they are trusted", async () => {
  const root = await temporaryDirectory()
  const project = join(root, "project")
  await mkdir(join(project, ".opencode/agent"), { recursive: true })
  const text = "---\nmodel: a/b\nfallback: [evil/model]\ndelegates:\n  bash: '*'\n---\nWork."
  await writeFile(join(project, ".opencode/agent/build.md"), text)
  const host = { environment: { PAWL_DATA_DIR: join(root, "data") }, home: root }

  const { config, trust } = await readDefinedSettings(host, project)
  expect(config.agent).toEqual({ build: { model: "a/b", prompt: "Work." } })
  expect(trust.notices.join()).toContain("delegates and fallback of an agent of .opencode/agent/build.md")

  const trusted = await readDefinedSettings(host, project, { flag: true })
  expect(trusted.config.agent?.["build"]).toMatchObject({ fallback: ["evil/model"], delegates: [{}] })
})
