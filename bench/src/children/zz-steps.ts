import { createEngine, defineTool } from "@pawl/core"
import { openAICompatible } from "@pawl/provider-openai-compatible"
import { sqliteStorage } from "@pawl/storage-sqlite"
import { modelServer, chatRequest } from "@pawl/model-server"
import { stepsPrompt } from "../model/reply-to.ts"
import { mkdtempSync } from "node:fs"
import { join } from "node:path"
const url = process.env.URL!
const dir = mkdtempSync("/tmp/w/s-")
const t: number[] = [], c: number[] = []
const instant = defineTool<object>({
  name: "instant", description: "Returns at once.",
  inputSchema: { type: "object", properties: { step: { type: "number" } } },
  effect: "pure", parse: (i) => i as object,
  execute: async () => { const u = process.cpuUsage(); t.push(performance.now()); c.push((u.user + u.system) / 1000); return { title: "instant", output: "Nothing to wait for." } },
})
const storage = await sqliteStorage({ path: join(dir, "pawl.db"), durability: (process.env.DUR ?? "sync") as "sync" })
const engine = await createEngine({ storage, tools: [instant], providers: [openAICompatible({ id: "local", baseURL: url, models: [{ id: "scripted" }] })], model: { providerID: "local", modelID: "scripted" } })
const { id } = await engine.createSession({ directory: dir })
const n = Number(process.env.N ?? 200)
await engine.prompt({ sessionID: id, parts: [{ type: "text", text: stepsPrompt(n, "instant", '{"step": $n}') }] })
const med = (a: number[]) => a.toSorted((x, y) => x - y)[a.length >> 1]!.toFixed(2)
const d = (a: number[]) => a.slice(1).map((x, i) => x - a[i]!)
const dt = d(t), dc = d(c)
console.log("wall", med(dt), "cpu", med(dc), "first20", med(dt.slice(0, 20)), med(dc.slice(0, 20)), "last20", med(dt.slice(-20)), med(dc.slice(-20)), "mean cpu", ((c.at(-1)! - c[0]!) / (n - 1)).toFixed(2))
await engine.close(); await storage.close()
