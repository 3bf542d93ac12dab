import { access, mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { memoryStorage } from "@pawl/storage-memory"
import { expect, it } from "vitest"
import { runtimeHost } from "../../test/runtime-host.ts"
import { temporaryDirectory } from "../../test/temporary-directory.ts"
import { readDefinedSettings } from "./definitions.ts"
import { engineOptions } from "./engine-options.ts"

it("loads no tool that took the place of the one that was trusted", async () => {
  const root = await temporaryDirectory()
  const project = join(root, "project")
  const tool = join(project, ".pawl/tool/word.js")
  await Promise.all([
    mkdir(join(project, ".git"), { recursive: true }),
    mkdir(join(project, ".pawl/tool"), { recursive: true }),
  ])
  await writeFile(tool, "export default { description: 'x', execute: () => 'x' }")
  const host = runtimeHost({ environment: { PAWL_DATA_DIR: root, PAWL_CONFIG_DIR: root }, home: root })
  const settings = await readDefinedSettings(host, project, { flag: true })

  const canary = join(root, "ran")
  await writeFile(tool, `import { writeFileSync } from "node:fs"; writeFileSync(${JSON.stringify(canary)}, "")`)

  await expect(engineOptions(settings, host, memoryStorage())).rejects.toThrow("changed while it was read")
  await expect(access(canary)).rejects.toThrow("ENOENT")
})
