import { type Deadlines, graceAfter, within } from "../deadlines.ts"
import { messageOf, PermissionDeniedError, RepetitionError, ToolInputError, HookError } from "../errors.ts"
import type { HookInput, HookOutput } from "../hooks/plugin.ts"
import type { JSONObject, JSONValue } from "../json.ts"
import { authorize, type PermissionDeps, type RememberedAnswer } from "../permission/ask.ts"
import type { PermissionScope } from "../permission/rules.ts"
import type { PermissionNeed, Tool, ToolPlace, ToolResult } from "../tool/tool.ts"
import type { ToolSet } from "../tool/tool-set.ts"
import type { Journal } from "./journal.ts"
import { enteredPath } from "../context/instructions/entered-path.ts"
import type { Instruction } from "../context/instructions/instruction-file.ts"
import { renderNested } from "../context/instructions/nested.ts"
import { NUDGED } from "../context/repetition/turn-calls.ts"
import type { RepetitionGuard } from "./repetition-guard.ts"
import type { OutputLimits } from "../tool/truncate.ts"
import { type LongOutputDeps, mayDelegate, shortenOutput } from "./long-output.ts"
import type { FilePart, ToolPart } from "./message.ts"
import { InactivityError, supervise } from "./supervise.ts"
import { plainObject, toStorable } from "./tool-result.ts"
import { complete, fail, run } from "./tool-state.ts"

export interface ToolCallDeps extends PermissionDeps, LongOutputDeps {
  readonly now: () => number
  readonly deadlines: Deadlines
  /** What child processes of tools get as their environment. */
  readonly environment: Readonly<Record<string, string>>
}

/** What the calls of a run have in common. */
export interface ToolCallScene extends ToolPlace {
  readonly journal: Journal
  readonly tools: ToolSet
  readonly agent: string
  readonly rootSessionID: ToolPart["sessionID"]
  readonly scopes: readonly PermissionScope[]
  readonly outputLimits: OutputLimits
  readonly repetition: RepetitionGuard
  /** Instruction files on the way to a file that the model has not read yet; each is given once in a step. */
  readonly entered: (path: string) => Promise<readonly Instruction[]>
  /** A tool's file as it may enter the history. */
  readonly fitted: (file: FilePart) => Promise<FilePart>
  /** Answers of `always` so far; grows. */
  readonly remembered: RememberedAnswer[]
  readonly signal: AbortSignal
}

export interface ToolCallOutcome {
  /** Set when a person refused or could not be asked, or the calls repeat themselves: the run stops. */
  readonly refusal?: PermissionDeniedError | RepetitionError
}

type ToolCallStatus = HookInput<"tool.execute.after">["status"]
type CallInfo = HookInput<"tool.execute.before">
type Draft = HookOutput<"tool.execute.after">
type StatePart<S extends string> = ToolPart & { state: Extract<ToolPart["state"], { status: S }> }
export type PendingToolPart = StatePart<"pending">

/** How long an aborted call still waits for those who are told of its end, in milliseconds. */
const AFTER_GRACE = 300

/** Levels of nesting that arguments may have: reading and writing them takes stack. */
const DEEPEST = 200

/** How far a call came. `part` is as last journaled, or about to be. */
interface Attempt {
  part: PendingToolPart | StatePart<"running">
  args: unknown
  result?: ToolResult
  error?: unknown
}

/**
 * The one place where a tool runs, whatever asked for it: guard, parse, permission, journal, execute, truncate, tell,
 * stage. Settles the part in every case; rejects only when the journal cannot write.
 */
export async function runToolCall(
  deps: ToolCallDeps,
  scene: ToolCallScene,
  asked: PendingToolPart,
): Promise<ToolCallOutcome> {
  // Guards and rules speak of tools by their own names, in whatever case the model writes them.
  const known = scene.tools.find(asked.tool)
  const part = { ...asked, tool: known?.name ?? asked.tool }
  const { tool, callID, messageID, sessionID } = part
  const call = { tool, callID, messageID, sessionID, rootSessionID: scene.rootSessionID, agent: scene.agent }
  const attempt: Attempt = { part, args: {} }
  try {
    await attemptCall(deps, scene, call, part, attempt)
  } catch (error) {
    attempt.error = error
  }
  const status = statusOf(attempt, scene.signal)
  const cut = {
    ...{ signal: scene.signal, limits: scene.outputLimits, callID },
    ...{ keep: known?.keep ?? "head", canDelegate: mayDelegate(scene) },
  } as const
  const shorten = (draft: Draft) => shortenOutput(deps, cut, draft)
  const told = await shorten(toDraft(attempt, status))
  const about = { ...call, args: attempt.args, status }
  const patience = graceAfter(scene.signal, AFTER_GRACE)
  const changed = deps.hooks.transform("tool.execute.after", about, told, patience.signal).catch(() => told)
  const shown = await shorten(await changed.finally(() => patience.end()))
  const draft = status === "completed" ? await withInstructions(scene, shown) : shown
  const whole = settled(attempt, draft, status, deps.now())
  scene.journal.stage([{ type: "part.put", part: await withFittedFiles(scene, whole) }])
  const { error } = attempt
  if (error instanceof RepetitionError) return error.response === "stop" ? { refusal: error } : {}
  return error instanceof PermissionDeniedError && error.decidedBy === "asked" ? { refusal: error } : {}
}

async function withFittedFiles({ fitted }: ToolCallScene, part: ToolPart): Promise<ToolPart> {
  const { state } = part
  if (state.status !== "completed" || !state.attachments) return part
  const attachments = await Promise.all(state.attachments.map((file) => fitted(file)))
  return { ...part, state: { ...state, attachments } }
}

/** What holds in the place that the call has come to is told with its result. */
async function withInstructions({ entered }: ToolCallScene, draft: Draft): Promise<Draft> {
  const path = enteredPath(draft.metadata as JSONObject)
  const files = path === undefined ? [] : await entered(path).catch(() => [])
  if (files.length === 0) return draft
  const loaded = files.map((file) => file.path)
  return { ...draft, output: `${draft.output}\n\n${renderNested(files)}`, metadata: { ...draft.metadata, loaded } }
}

async function attemptCall(
  deps: ToolCallDeps,
  scene: ToolCallScene,
  call: CallInfo,
  part: PendingToolPart,
  attempt: Attempt,
): Promise<void> {
  const written = parseArguments(part)
  attempt.args = written.value
  attempt.part = { ...part, state: { ...part.state, input: toObject(written.value) } }
  await keepFromRepeating(deps, scene, call, attempt, toObject(written.value))
  ;({ args: attempt.args } = await deps.hooks.guard("tool.execute.before", call, { args: written.value }, scene.signal))
  const tool = scene.tools.find(call.tool)
  if (!tool) throw new ToolInputError(unknownTool(call.tool, scene.tools))
  if (written.error) throw written.error
  const input = tool.parse(attempt.args)
  const needs = await needsOf(deps, scene, tool, input)
  await authorize(deps, call, needs, scene, scene.signal)
  scene.signal.throwIfAborted()

  const state = run(part.state, toObject(attempt.args), deps.now())
  // Guards may have changed the arguments: the next call is compared with what the model wrote.
  const metadata = { ...attempt.part.metadata, effect: tool.effect }
  attempt.part = { ...part, metadata, state }
  await scene.journal.commit([{ type: "part.put", part: attempt.part }])
  const supervision = { signal: scene.signal, inactivity: deps.deadlines.tool }
  const result = await supervise(supervision, (signal, alive) => {
    return tool.execute(input, toContext(deps, scene, call, attempt, signal, alive))
  })
  attempt.result = toStorable(tool.name, result)
}

/** Throws RepetitionError where the call would repeat others once too often, unless a person lets it go on. */
async function keepFromRepeating(
  deps: ToolCallDeps,
  scene: ToolCallScene,
  call: CallInfo,
  attempt: Attempt,
  args: JSONObject,
): Promise<void> {
  const { response, key, allow } = scene.repetition.call(call.tool, args, call.messageID)
  if (response.type === "run") return
  const marks = { loopKey: key, ...(response.type === "nudge" ? { [NUDGED]: true } : {}) }
  attempt.part = { ...attempt.part, metadata: { ...attempt.part.metadata, ...marks } }
  if (response.type !== "ask") throw new RepetitionError(response.message, response.type)
  const metadata = { message: response.message }
  await authorize(deps, call, [{ permission: "doom_loop", patterns: [call.tool], metadata }], scene, scene.signal)
  allow()
}

/** Where a tool says nothing of its needs, it needs to be allowed as such. */
async function needsOf(
  { deadlines }: ToolCallDeps,
  scene: ToolCallScene,
  tool: Tool,
  input: unknown,
): Promise<readonly PermissionNeed[]> {
  const asked = (async () => tool.permissions?.(input, scene))()
  const late = () => new InactivityError(`${tool.name} did not say what it needs within ${deadlines.tool / 1000} s.`)
  const needs = (await within(deadlines.tool, asked, late, scene.signal)) ?? []
  return needs.length > 0 ? needs : [{ permission: tool.name, patterns: ["*"] }]
}

function toContext(
  deps: ToolCallDeps,
  scene: ToolCallScene,
  call: CallInfo,
  attempt: Attempt,
  signal: AbortSignal,
  alive: () => void,
) {
  const { directory, worktree } = scene
  const { sessionID, messageID, callID, agent } = call
  return {
    ...{ directory, worktree, sessionID, messageID, callID, agent, signal },
    idempotencyKey: `${sessionID}/${messageID}/${callID}`,
    blobs: deps.storage.blobs,
    canDelegate: mayDelegate(scene),
    env: async () => {
      const about = { cwd: directory, sessionID, callID }
      const { env } = await deps.hooks.transform("shell.env", about, { env: {} }, signal)
      return { ...deps.environment, ...env }
    },
    files: { before: async () => undefined, after: async () => undefined },
    ask: () => Promise.reject(new Error("Nobody can be asked here.")),
    delegate: () => Promise.reject(new Error("There are no subagents here.")),
    progress: (update: { title?: string; metadata?: JSONObject }) => {
      alive()
      const { part, result, error } = attempt
      const isOver = result !== undefined || error !== undefined
      if (part.state.status !== "running" || isOver || signal.aborted) return
      const title = update.title === undefined ? {} : { title: update.title }
      const metadata = { ...part.state.metadata, ...plainObject(update.metadata ?? {}) }
      attempt.part = { ...part, state: { ...part.state, ...title, metadata } }
      deps.bus.publish("message.part.updated", { sessionID, part: attempt.part, time: deps.now() })
    },
  }
}

function statusOf({ result, error }: Attempt, signal: AbortSignal): ToolCallStatus {
  if (result) return "completed"
  if (error instanceof PermissionDeniedError) return "denied"
  if (error instanceof HookError) return "denied"
  if (error instanceof InactivityError) return "timeout"
  return signal.aborted ? "aborted" : "error"
}

function toDraft({ result, error }: Attempt, status: ToolCallStatus): Draft {
  if (!result)
    return { title: "", output: status === "aborted" ? "Tool execution aborted" : messageOf(error), metadata: {} }
  const { title, output, metadata, attachments } = result
  const files = attachments?.map((file) => ({ ...file, type: "file" as const }))
  return { title, output, metadata: { ...metadata }, ...(files ? { attachments: files } : {}) }
}

function settled({ part }: Attempt, draft: Draft, status: ToolCallStatus, now: number): ToolPart {
  const metadata = draft.metadata as JSONObject
  if (status !== "completed" || part.state.status !== "running") {
    const interrupted = status === "aborted" ? { interrupted: true } : {}
    return { ...part, state: fail(part.state, draft.output, now, { ...metadata, ...interrupted }) }
  }
  const attachments = (draft.attachments ?? []).map((file, index): FilePart => {
    return { ...file, id: `${part.id}_${index}`, sessionID: part.sessionID, messageID: part.messageID }
  })
  const { title, output } = draft
  return { ...part, state: complete(part.state, { title, output, metadata }, attachments, now) }
}

function parseArguments({ tool, state: { raw } }: PendingToolPart): { value: JSONValue; error?: ToolInputError } {
  if (raw.trim() === "") return { value: {} }
  try {
    const value = JSON.parse(raw) as JSONValue
    if (!isDeeper(value, DEEPEST)) return { value }
    const message = `The ${tool} tool was called with arguments nested deeper than ${DEEPEST} levels.`
    return { value: {}, error: new ToolInputError(message) }
  } catch (cause) {
    const excerpt = raw.length > 200 ? `${raw.slice(0, 200)}…` : raw
    const message = `The ${tool} tool was called with arguments that are not JSON (${messageOf(cause)}): ${excerpt}\nPlease send the whole call again.`
    return { value: {}, error: new ToolInputError(message, { cause }) }
  }
}

function isDeeper(value: JSONValue | undefined, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1))
}

function toObject(args: unknown): JSONObject {
  return typeof args === "object" && args !== null && !Array.isArray(args) ? (args as JSONObject) : {}
}

function unknownTool(name: string, tools: ToolSet): string {
  return `There is no tool "${name}". Available: ${tools.definitions.map((tool) => tool.name).join(", ")}.`
}
