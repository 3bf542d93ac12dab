import { within } from "../base/deadlines.ts"
import { messageOf, PermissionDeniedError, ToolInputError } from "../base/errors.ts"
import type { JSONObject } from "../base/json.ts"
import type { HookOutput } from "../contracts/hooks.ts"
import type { PermissionNeed, Tool, ToolLocation } from "../contracts/tool.ts"
import type { ToolSet } from "../tool-set/tool-set.ts"
import { callNeeds } from "../contracts/call-needs.ts"
import { lazyMark } from "../contracts/call-processes.ts"
import { callKey } from "../record/call-key.ts"
import { InactivityError, supervise } from "../base/supervise.ts"
import { parseArguments, toObject, type WrittenArguments } from "./arguments.ts"
import type { ToolCallInfo, UnsettledToolPart } from "./attempt.ts"
import { toolContext } from "./context.ts"
import { isRepeatable, isResumable } from "../record/resumable.ts"
import { countCall, deniedRepetition, keepLoopKey, repetitionNeeds } from "./repetition.ts"
import type { CallContext, CallHandles, CallInProgress, ToolCallDeps } from "./call-deps.ts"
import { toStorable } from "./tool-result.ts"
import { run as begin } from "../contracts/tool-state.ts"

/**
 * Runs a call: guard, parse, permission, journal, execute. Records the progress in the attempt, and rejects on failure.
 */
export async function executeCall(
  deps: ToolCallDeps,
  run: CallHandles,
  context: CallContext,
  progress: CallInProgress,
): Promise<void> {
  const { hooks, store, calls } = deps
  const { call, attempt, questions } = progress
  const { signal, journal } = run
  signal.throwIfAborted()
  if (!mayRun(attempt.part, context.tools.find(call.tool))) {
    throw new ToolInputError("The call was interrupted while it ran. Look at what it did before you repeat it.")
  }
  const written = parseArguments(attempt.part)
  const args = toObject(written.value)
  attempt.args = written.value
  attempt.part = withInput(attempt.part, args)
  const repeated = progress.earlier ? undefined : countCall(run.policies, context.rules, progress, args)
  attempt.guardRan = true
  // A refused call is stored with the arguments that were judged, including the changes of earlier guards.
  const edits: ArgumentEdit[] = []
  const onDraft = (plugin: string, before: ToolCallArguments, draft: ToolCallArguments) => {
    if (draft === before) return
    edits.push({ plugin, args: draft.args })
    attempt.args = draft.args
    attempt.part = withInput(keepLoopKey(attempt.part, repeated), toObject(draft.args))
  }
  await hooks.guard("tool.execute.before", call, { args: written.value }, signal, { onDraft })
  const loop = repetitionNeeds(progress, repeated)
  const authorize = (needs: readonly PermissionNeed[], inner = signal) => {
    return calls.authorize(deps, call, needs, { rules: context.rules, questions, signal: inner })
  }
  // Invalid calls may repeat themselves as well, so check for repetition before the error is thrown.
  const prepared = await prepare(deps, context, progress, { written, edits, signal }).catch((error: unknown) => ({
    error,
    needs: [],
  }))
  await authorize([...loop, ...prepared.needs]).catch((error: unknown) => {
    const isDenied = error instanceof PermissionDeniedError && error.decidedBy === "rule"
    throw (isDenied && deniedRepetition(attempt, repeated)) || error
  })
  if (loop.length > 0) repeated?.allow()
  if ("error" in prepared) throw prepared.error
  const { tool, input } = prepared
  const inactivity = tool.deadline ?? store.deadlines.tool
  signal.throwIfAborted()

  const { directory, worktree } = context.workspace
  const place = { directory, worktree, sessionID: call.sessionID }
  const watched = await run.policies.watchCall({ call, tool, input, place, signal })
  attempt.part = { ...begun(deps, attempt.part, tool, toObject(attempt.args)), ...watched?.begun }
  await journal.commit([{ type: "part.put", part: attempt.part }])
  questions.tell()
  const mark = lazyMark(calls.processes, callKey(call))
  const working = supervise({ signal, inactivity, grace: store.deadlines.abort }, (inner, alive) => {
    const { delegate, generator } = run
    const continues = watched?.continues
    const handles = { journal, delegate, generator, authorize, mark, signal: inner, alive, continues }
    return tool.execute(input, toolContext(deps, handles, context, progress, inactivity))
  })
  const result = await working
    .catch((error: unknown) => {
      throw withEditors(error, edits)
    })
    .finally(() => {
      watched?.end()
      if (watched) attempt.part = withoutOpenChanges(attempt.part)
      mark.release()
    })
  attempt.result = toStorable(tool.name, result)
}

interface WrittenCall {
  /** Arguments as the model wrote them. */
  readonly written: WrittenArguments
  /** Edits in the order of the guards. */
  readonly edits: readonly ArgumentEdit[]
  readonly signal: AbortSignal
}

interface PreparedCall {
  readonly tool: Tool
  readonly input: unknown
  readonly needs: readonly PermissionNeed[]
}

/** Returns the tool, its input and its needs. Rejects with ToolInputError if the call cannot run. */
async function prepare(
  deps: ToolCallDeps,
  { tools, workspace: { directory, worktree } }: CallContext,
  { call, attempt }: CallInProgress,
  { written, edits, signal }: WrittenCall,
): Promise<PreparedCall> {
  const tool = tools.find(call.tool)
  if (!tool) throw new ToolInputError(unknownTool(call.tool, tools))
  if (written.error) throw written.error
  const input = parsedInput(deps, call, tool, { written: written.value, edits, args: attempt.args })
  const place = { directory, worktree, sessionID: call.sessionID, signal }
  const needs = await needsOf(deps, place, tool, input).catch((error: unknown) => {
    throw withEditors(error, edits)
  })
  return { tool, input, needs }
}

/** Arguments of a call after a guard. */
interface ArgumentEdit {
  readonly plugin: string
  readonly args: unknown
}

/** Parses the arguments. Throws the tool's error, or blames the plugin whose change made the arguments invalid. */
function parsedInput(
  { hooks }: Pick<ToolCallDeps, "hooks">,
  { sessionID }: Pick<ToolCallInfo, "sessionID">,
  tool: Tool,
  {
    written,
    edits,
    args,
  }: { readonly written: unknown; readonly edits: readonly ArgumentEdit[]; readonly args: unknown },
): unknown {
  // The tool gets a copy, so that its changes of the arguments are not stored.
  const parse = (value: unknown) => tool.parse(structuredClone(value))
  try {
    return parse(args)
  } catch (error) {
    const fits = [written, ...edits.map((edit) => edit.args)].map((each) => isParsed(() => parse(each)))
    const spoiler = edits[fits.lastIndexOf(true)]
    if (!fits.includes(true) || !spoiler) throw error
    const taken = fits[0] ? "The model's own arguments were valid" : "The arguments were valid before"
    const reason =
      `it has changed the arguments of this call into what ${tool.name} does not take: ${messageOf(error)}\n` +
      `${taken}: the plugin has to be corrected, not the call.`
    throw hooks.blame(spoiler.plugin, "tool.execute.before", reason, sessionID)
  }
}

/** Adds to an error about the arguments which plugins have changed them: the model does not know. */
function withEditors(error: unknown, edits: readonly ArgumentEdit[]): unknown {
  if (!(error instanceof ToolInputError) || edits.length === 0) return error
  const names = [...new Set(edits.map(({ plugin }) => `"${plugin}"`))].join(", ")
  const message = `${error.message}\nThe arguments of this call were changed by the plugin ${names}.`
  return new ToolInputError(message, { cause: error })
}

function isParsed(parse: () => unknown): boolean {
  try {
    parse()
    return true
  } catch {
    return false
  }
}

type ToolCallArguments = HookOutput<"tool.execute.before">

/** Returns whether the call may run. A call that ran before runs again if its tool allowed it then and still does. */
function mayRun(part: UnsettledToolPart, tool: Tool | undefined): boolean {
  if (part.state.status === "pending" || isResumable(part)) return true
  // The error for an unknown tool follows later.
  return isRepeatable(part) && tool?.effect !== "unsafe"
}

function withInput(part: UnsettledToolPart, input: JSONObject): UnsettledToolPart {
  return part.state.status === "pending" ? { ...part, state: { ...part.state, input } } : part
}

/** Removes what was kept before the call, now that its changes are looked for. */
function withoutOpenChanges({ changes = [], ...part }: UnsettledToolPart): UnsettledToolPart {
  const recorded = changes.filter(({ after }) => after !== undefined)
  return recorded.length > 0 ? { ...part, changes: recorded } : part
}

/** Returns the part that is stored before the tool runs. Its metadata decides about the call after an interruption. */
function begun(
  { store: { now }, calls: { processes } }: ToolCallDeps,
  part: UnsettledToolPart,
  tool: Tool,
  input: JSONObject,
): UnsettledToolPart {
  const metadata = {
    ...{ ...part.metadata, effect: tool.effect },
    ...(tool.resumable ? { resumable: true } : {}),
    ...(tool.worksInProcesses && processes ? { owner: processes.owner } : {}),
  }
  const { state } = part
  return { ...part, metadata, state: state.status === "pending" ? begin(state, input, now()) : { ...state, input } }
}

async function needsOf(
  { store: { deadlines } }: ToolCallDeps,
  { signal, ...place }: ToolLocation & { readonly signal: AbortSignal },
  tool: Tool,
  input: unknown,
): Promise<readonly PermissionNeed[]> {
  const late = () => new InactivityError(`${tool.name} did not say what it needs within ${deadlines.tool / 1000} s.`)
  return await within(deadlines.tool, callNeeds(tool, input, place), late, signal)
}

function unknownTool(name: string, tools: ToolSet): string {
  return `There is no tool "${name}". Available: ${tools.definitions.map((tool) => tool.name).join(", ")}.`
}
