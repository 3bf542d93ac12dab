import { appendFileSync } from "node:fs"
import { setTimeout as sleep } from "node:timers/promises"
import { createEngine, type RunResult, SessionBusyError } from "@pawl/core"
import { defineTool } from "@pawl/core/tool"
import { openAICompatible } from "@pawl/provider-openai-compatible"
import { openAttemptLog, recordingStorage } from "../record/recording-storage.ts"
import { openStore } from "../subjects/open-store.ts"
import { sabotaged } from "../subjects/sabotaged.ts"
import type { TurnOptions } from "./options.ts"

/** Milliseconds. Short, so that going on need not wait long where only time tells that an owner is dead. */
const LEASE = 500

/** One prompt, asked of the model until it is answered, with everything opened for it and closed behind it. */
export async function runTurn(options: TurnOptions): Promise<RunResult> {
  const { url, directory, model, prompt, log, marks } = options
  const storage = recordingStorage(sabotaged(await openStore(url), options.sabotage), openAttemptLog(log))
  const engine = await createEngine({
    storage,
    tools: [markTool(marks)],
    providers: [openAICompatible({ id: "local", baseURL: model, models: [{ id: "scripted" }] })],
    model: { providerID: "local", modelID: "scripted" },
    environment: {},
    deadlines: { lease: LEASE },
  })
  try {
    const sessionID = options.sessionID ?? engine.draftSession({ directory }).id
    const ask = () => engine.prompt({ sessionID, parts: [{ type: "text", text: prompt }] })
    return await onceFree(ask, performance.now() + 10 * LEASE)
  } finally {
    await engine.close()
    await storage.close()
  }
}

/** A dead owner's lease may have to run out. */
async function onceFree<T>(work: () => Promise<T>, end: number): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof SessionBusyError) || performance.now() > end) throw error
    await sleep(LEASE / 10)
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
