import { graceAfter } from "../base/deadlines.ts"
import type { JSONObject } from "../base/json.ts"
import { enteredPath } from "../workspace/entered-path.ts"
import { renderNested } from "../workspace/render-instructions.ts"
import type { Hooks } from "../hooks/hooks.ts"
import { mayDelegate, shortenOutput } from "./long-output.ts"
import type { ToolPart } from "../record/message.ts"
import { type Attempt, settled, statusOf, type ToolCallDraft, type ToolCallInfo, toDraft } from "./attempt.ts"
import type { CallContext, CallHandles, CallInProgress, ToolCallDeps } from "./call-deps.ts"

/** Time that the hooks of an aborted call may take. */
const AFTER_HOOKS_GRACE_MS = 300

/** Returns the part with its result, after the hooks. */
export async function finishedPart(
  deps: ToolCallDeps,
  run: CallHandles,
  context: CallContext,
  { call, attempt }: Pick<CallInProgress, "call" | "attempt">,
): Promise<ToolPart> {
  const { signal } = run
  const status = statusOf(attempt, signal)
  const cut = {
    signal,
    limits: context.outputLimits,
    callID: call.callID,
    keep: context.tools.find(call.tool)?.keep ?? "head",
    canDelegate: mayDelegate(context),
  } as const
  const shorten = (draft: ToolCallDraft) => shortenOutput(deps, cut, draft)
  const initial = await shorten(toDraft(attempt, status))
  const shown = attempt.guardRan ? await shorten(await afterHooks(deps.hooks, signal, call, attempt, initial)) : initial
  const draft = status === "completed" ? await withInstructions(run, shown) : shown
  return withFittedFiles(run, settled(attempt, draft, status, deps.store.now()))
}

async function afterHooks(
  hooks: Pick<Hooks, "transform">,
  signal: AbortSignal,
  call: ToolCallInfo,
  attempt: Attempt,
  initial: ToolCallDraft,
): Promise<ToolCallDraft> {
  const about = { ...call, args: attempt.args, status: statusOf(attempt, signal) }
  const grace = graceAfter(signal, AFTER_HOOKS_GRACE_MS)
  const changed = hooks.transform("tool.execute.after", about, initial, grace.signal).catch(() => initial)
  return changed.finally(() => grace.end())
}

async function withFittedFiles({ fitted }: CallHandles, part: ToolPart): Promise<ToolPart> {
  const { state } = part
  if (state.status !== "completed" || !state.attachments) return part
  const attachments = await Promise.all(state.attachments.map((file) => fitted(file)))
  return { ...part, state: { ...state, attachments } }
}

/** Adds the nested instructions of a directory that the call has entered to its result. */
async function withInstructions({ entered }: CallHandles, draft: ToolCallDraft): Promise<ToolCallDraft> {
  const path = enteredPath(draft.metadata as JSONObject)
  const files = path === undefined ? [] : await entered(path).catch(() => [])
  if (files.length === 0) return draft
  const loaded = files.map((file) => file.path)
  return { ...draft, output: `${draft.output}\n\n${renderNested(files)}`, metadata: { ...draft.metadata, loaded } }
}
