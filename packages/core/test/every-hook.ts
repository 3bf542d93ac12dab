import type { EngineOptions, RunResult } from "../src/index.ts"
import type { PluginEntry } from "../src/plugin.ts"
import { ProviderError } from "../src/provider.ts"
import type { Tool } from "../src/tool.ts"
import { type TestEngine, testEngine, testTool } from "./engine-fixture.ts"
import { calls, said, textOf, windowModel } from "./window-model.ts"

/** A tool whose calls ask for an environment, and fill the window soon. */
export function probeTool(): Tool {
  return testTool("probe", async (_input, context) => JSON.stringify([await context.env(), "x".repeat(3000)]))
}

/** Takes the plugins through a turn and what else there is, so that each hook is reached. The engine is left open. */
export async function throughEveryHook(
  plugins: readonly PluginEntry[],
  more: Partial<EngineOptions> = {},
): Promise<{ readonly test: TestEngine; readonly result: RunResult }> {
  // Works until its window is full, and is done when that has been compacted.
  const model = windowModel({
    context: 12_000,
    agent(request, n) {
      if (n === 0) throw new ProviderError("transient", "Busy.", { retryAfter: 1 })
      const isCompacted = textOf(request).includes("What did we do so far?")
      return isCompacted ? said("Done.") : [...said("Look."), ...calls("probe", { at: n }, `call_${n}`)]
    },
  })
  const { providers: _providers, model: _model, ...options } = more
  const test = await testEngine({
    ...{ model, compaction: { soft: 1 }, ask: async () => "once" as const },
    permission: [{ name: "test", rules: [{ permission: "probe", pattern: "*", action: "ask" }] }],
    ...options,
    plugins,
  })
  const { engine, session } = test
  const command = { name: "go", arguments: "on" }
  const result = await engine.prompt({ sessionID: session.id, parts: [{ type: "text", text: "Go" }], command })
  await engine.plugins.config({})
  for (const name of ["resource", "auth", "provider"] as const) engine.plugins.contributions(name)
  await engine.plugins.commands()
  return { test, result }
}
