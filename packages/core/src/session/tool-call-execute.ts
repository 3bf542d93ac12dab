import { within } from "../deadlines.ts"
import { ToolInputError } from "../errors.ts"
import type { JSONObject } from "../json.ts"
import type { HookOutput } from "../hooks/plugin.ts"
import type { PermissionNeed, Tool, ToolPlace } from "../tool/tool.ts"
import type { ToolSet } from "../tool/tool-set.ts"
import { mayDelegate } from "./long-output.ts"
import { InactivityError, supervise } from "./supervise.ts"
import { parseArguments, toObject } from "./tool-call-arguments.ts"
import type { UnsettledToolPart } from "./tool-call-attempt.ts"
import { toolContext } from "./tool-call-context.ts"
import { countCall, keepFromRepeating, keepLoopKey } from "./tool-call-repetition.ts"
import type { Going, ToolCallDeps, ToolCallScene } from "./tool-call-scene.ts"
import { toStorable } from "./tool-result.ts"
import { run } from "./tool-state.ts"

/** Guard, parse, permission, journal, execute: leaves in the attempt how far it came, and throws why it came no further. */
export async function executeCall(deps: ToolCallDeps, scene: ToolCallScene, going: Going): Promise<void> {
  const { call, attempt, questions } = going
  const { signal, journal } = scene
  signal.throwIfAborted()
  if (attempt.part.state.status === "running" && attempt.part.metadata?.["resumable"] !== true) {
    throw new ToolInputError("The call was interrupted while it ran. Look at what it did before you repeat it.")
  }
  const written = parseArguments(attempt.part)
  const args = toObject(written.value)
  attempt.args = written.value
  attempt.part = withInput(attempt.part, args)
  const repeated = going.earlier ? undefined : countCall(scene, call, attempt, args)
  attempt.isTold = true
  // What is refused is stored as it was judged: with what the guards before made of it.
  const onDraft = (_plugin: string, before: ToolCallArguments, draft: ToolCallArguments) => {
    if (draft === before) return
    attempt.args = draft.args
    attempt.part = withInput(keepLoopKey(attempt.part, repeated), toObject(draft.args))
  }
  await deps.hooks.guard("tool.execute.before", call, { args: written.value }, signal, { onDraft })
  await keepFromRepeating(deps, scene, going, repeated)
  const tool = scene.tools.find(call.tool)
  if (!tool) throw new ToolInputError(unknownTool(call.tool, scene.tools))
  if (written.error) throw written.error
  // The tool's own: what it does to its arguments changes nothing of what is stored.
  const input = tool.parse(structuredClone(attempt.args))
  const inactivity = tool.deadline ?? deps.deadlines.tool
  const { directory, worktree } = scene
  const needs = await needsOf(deps, { directory, worktree, sessionID: call.sessionID, signal }, tool, input)
  await deps.authorize(deps, call, needs, { rules: scene.rules, questions, signal })
  signal.throwIfAborted()

  attempt.part = begun(attempt.part, tool, toObject(attempt.args), deps.now())
  await journal.commit([{ type: "part.put", part: attempt.part }])
  questions.tell()
  const result = await supervise({ signal, inactivity, grace: deps.deadlines.abort }, (inner, alive) => {
    const { delegate, rules, generator } = scene
    const authorize = (more: readonly PermissionNeed[], inner: AbortSignal) =>
      deps.authorize(deps, call, more, { rules, questions, signal: inner })
    const life = { inactivity, signal: inner, alive }
    const of = { place: scene, call, attempt, rules, journal, questions, delegate, generator, authorize, ...life }
    return tool.execute(input, toolContext(deps, { ...of, canDelegate: mayDelegate(scene) }))
  })
  attempt.result = toStorable(tool.name, result)
}

type ToolCallArguments = HookOutput<"tool.execute.before">

function withInput(part: UnsettledToolPart, input: JSONObject): UnsettledToolPart {
  return part.state.status === "pending" ? { ...part, state: { ...part.state, input } } : part
}

/** The part as it is stored before the tool runs: what is to become of the call should it be interrupted. */
function begun(part: UnsettledToolPart, tool: Tool, input: JSONObject, now: number): UnsettledToolPart {
  const metadata = { ...part.metadata, effect: tool.effect, ...(tool.resumable ? { resumable: true } : {}) }
  const { state } = part
  return { ...part, metadata, state: state.status === "pending" ? run(state, input, now) : { ...state, input } }
}

/** Where a tool says nothing of its needs, it needs to be allowed as such. */
async function needsOf(
  { deadlines }: ToolCallDeps,
  { signal, ...place }: ToolPlace & { readonly signal: AbortSignal },
  tool: Tool,
  input: unknown,
): Promise<readonly PermissionNeed[]> {
  const asked = (async () => tool.permissions?.(input, place))()
  const late = () => new InactivityError(`${tool.name} did not say what it needs within ${deadlines.tool / 1000} s.`)
  const needs = (await within(deadlines.tool, asked, late, signal)) ?? []
  return needs.length > 0 ? needs : [{ permission: tool.name, patterns: ["*"] }]
}

function unknownTool(name: string, tools: ToolSet): string {
  return `There is no tool "${name}". Available: ${tools.definitions.map((tool) => tool.name).join(", ")}.`
}
