import { appendFileSync } from "node:fs"
import { setTimeout as sleep } from "node:timers/promises"
import { createEngine, type RunResult, SessionBusyError } from "@pawl/core"
import { defineTool } from "@pawl/core/tool"
import { openAICompatible } from "@pawl/provider-openai-compatible"
import { openAttemptLog, recordingStorage } from "../record/recording-storage.ts"
import { openStore } from "../subjects/open-store.ts"
import { sabotaged } from "../subjects/sabotaged.ts"
import type { TurnOptions } from "./options.ts"

/** In milliseconds. Short, so that continuing need not wait long for a dead owner's lease. */
const LEASE_MS = 500

/** Runs one prompt to its answer. Opens and closes everything that it needs. */
export async function runTurn(options: TurnOptions): Promise<RunResult> {
  const { url, directory, model, prompt, log, marks } = options
  const storage = recordingStorage(sabotaged(await openStore(url), options.sabotage), openAttemptLog(log))
  const engine = await createEngine({
    storage,
    tools: [markTool(marks)],
    providers: [openAICompatible({ id: "local", baseURL: model, models: [{ id: "scripted" }] })],
    model: { providerID: "local", modelID: "scripted" },
    environment: {},
    deadlines: { lease: LEASE_MS },
  })
  try {
    const sessionID = options.sessionID ?? engine.draftSession({ directory }).id
    const ask = () => engine.prompt({ sessionID, parts: [{ type: "text", text: prompt }] })
    return await onceFree(ask, performance.now() + 10 * LEASE_MS)
  } finally {
    await engine.close()
    await storage.close()
  }
}

/** Waits for a dead owner's lease to expire. */
async function onceFree<T>(work: () => Promise<T>, end: number): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof SessionBusyError) || performance.now() > end) throw error
    await sleep(LEASE_MS / 10)
    return onceFree(work, end)
  }
}

/** Must not run twice for the same call. */
function markTool(marks: string) {
  return defineTool<{ text: string }>({
    name: "mark",
    description: "Writes the call's id to a file.",
    inputSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
    effect: "unsafe",
    parse: (input) => input as { text: string },
    execute({ text }, { callID }) {
      appendFileSync(marks, `${callID}\n`)
      return Promise.resolve({ title: text, output: `marked ${text}` })
    },
  })
}
