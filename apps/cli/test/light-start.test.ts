import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { expect, it } from "vitest"
import { fromSources, workplace } from "./workplace.ts"

/** Tells on stderr which modules were loaded. */
const TELLING = `import { registerHooks } from "node:module"
const loaded = []
registerHooks({ load(url, context, next) { loaded.push(url); return next(url, context) } })
process.on("exit", () => process.stderr.write("\\nLOADED " + loaded.join(" ") + "\\n"))
`

// Sources that nothing was compiled of yet take their time.
it("imports nothing of what plugins need where there are none", { timeout: 60_000 }, async () => {
  const { data, pawl } = await workplace(fromSources)
  const hook = join(data, "..", "telling.mjs")
  await writeFile(hook, TELLING)

  const { code, stderr } = await pawl(["run", "-m", "replay/hello", "hi"], {
    environment: { NODE_OPTIONS: `--import=${hook}` },
  })

  expect(code).toBe(0)
  const loaded = /LOADED (.*)/.exec(stderr)?.[1]?.split(" ") ?? []
  expect(loaded.length).toBeGreaterThan(10)
  const plugins = ["/plugin-loader/", "/jiti/", "/chokidar/", "/plugins/opencode/src/adapter", "/hono/"]
  const vendors = ["anthropic", "openai", "google"].flatMap((name) => [`/provider-${name}/`, `/@ai-sdk/${name}/`])
  for (const heavy of [...plugins, ...vendors]) {
    expect(loaded.filter((url) => url.includes(heavy))).toEqual([])
  }
})
