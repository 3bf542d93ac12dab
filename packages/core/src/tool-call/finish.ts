import { graceAfter } from "../base/deadlines.ts"
import type { JSONObject } from "../base/json.ts"
import { enteredPath } from "../workspace/entered-path.ts"
import { renderNested } from "../workspace/nested.ts"
import { mayDelegate, shortenOutput } from "./long-output.ts"
import type { ToolPart } from "../record/message.ts"
import { type Attempt, settled, statusOf, type ToolCallDraft, type ToolCallInfo, toDraft } from "./attempt.ts"
import type { ToolCallDeps, ToolCallScene } from "./scene.ts"

/** How long an aborted call still waits for those who are told of its end, in milliseconds. */
const AFTER_GRACE = 300

/** The part with its result, when everybody has been told of it. */
export async function finishedPart(
  deps: ToolCallDeps,
  scene: ToolCallScene,
  call: ToolCallInfo,
  attempt: Attempt,
): Promise<ToolPart> {
  const status = statusOf(attempt, scene.signal)
  const cut = {
    ...{ signal: scene.signal, limits: scene.outputLimits, callID: call.callID },
    ...{ keep: scene.tools.find(call.tool)?.keep ?? "head", canDelegate: mayDelegate(scene) },
  } as const
  const shorten = (draft: ToolCallDraft) => shortenOutput(deps, cut, draft)
  const told = await shorten(toDraft(attempt, status))
  const shown = attempt.isTold ? await shorten(await afterHooks(deps, scene, call, attempt, told)) : told
  const draft = status === "completed" ? await withInstructions(scene, shown) : shown
  return withFittedFiles(scene, settled(attempt, draft, status, deps.now()))
}

async function afterHooks(
  deps: ToolCallDeps,
  { signal }: ToolCallScene,
  call: ToolCallInfo,
  attempt: Attempt,
  told: ToolCallDraft,
): Promise<ToolCallDraft> {
  const about = { ...call, args: attempt.args, status: statusOf(attempt, signal) }
  const patience = graceAfter(signal, AFTER_GRACE)
  const changed = deps.hooks.transform("tool.execute.after", about, told, patience.signal).catch(() => told)
  return changed.finally(() => patience.end())
}

async function withFittedFiles({ fitted }: ToolCallScene, part: ToolPart): Promise<ToolPart> {
  const { state } = part
  if (state.status !== "completed" || !state.attachments) return part
  const attachments = await Promise.all(state.attachments.map((file) => fitted(file)))
  return { ...part, state: { ...state, attachments } }
}

/** What holds in the place that the call has come to is told with its result. */
async function withInstructions({ entered }: ToolCallScene, draft: ToolCallDraft): Promise<ToolCallDraft> {
  const path = enteredPath(draft.metadata as JSONObject)
  const files = path === undefined ? [] : await entered(path).catch(() => [])
  if (files.length === 0) return draft
  const loaded = files.map((file) => file.path)
  return { ...draft, output: `${draft.output}\n\n${renderNested(files)}`, metadata: { ...draft.metadata, loaded } }
}
