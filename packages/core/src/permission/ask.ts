import { type Deadlines, within } from "../deadlines.ts"
import { PermissionDeniedError } from "../errors.ts"
import type { EventBus } from "../events.ts"
import type { Hooks } from "../hooks/hooks.ts"
import type { HookInput } from "../hooks/plugin.ts"
import type { IDSource, SessionID } from "../ids.ts"
import type { PermissionNeed } from "../tool/tool.ts"
import { decidePermission, matches, type PermissionScope } from "./rules.ts"

/** A question to a person. Answered `always`, the patterns in `always` are not asked again in this run. */
export interface PermissionRequest {
  readonly id: string
  readonly sessionID: SessionID
  readonly permission: string
  readonly patterns: readonly string[]
  readonly always: readonly string[]
  readonly metadata: Readonly<Record<string, unknown>>
  readonly tool: { readonly messageID: string; readonly callID: string }
}

export type PermissionReply = "once" | "always" | "reject"
/** Anything but `once` and `always` refuses, throwing too. The signal aborts when the answer is no longer needed. */
export type AskPermission = (request: PermissionRequest, signal: AbortSignal) => Promise<PermissionReply>

export interface PermissionDeps {
  readonly hooks: Hooks
  readonly bus: EventBus
  readonly ids: IDSource
  readonly deadlines: Pick<Deadlines, "question">
  /** Absent where nobody can be asked: then asking is refusing. */
  readonly ask?: AskPermission | undefined
}

/** What an answer of `always` allows: a pattern that the tool proposed, or else exactly what was asked. */
export interface RememberedAnswer {
  readonly permission: string
  readonly text: string
  readonly isPattern: boolean
}

interface Rules {
  readonly scopes: readonly PermissionScope[]
  /** Grows with each answer of `always`. */
  readonly remembered: RememberedAnswer[]
}

type Call = Pick<HookInput<"permission.ask">, "tool" | "callID" | "messageID" | "sessionID" | "rootSessionID" | "agent">

/** Passes when every need is allowed, else throws PermissionDeniedError. */
export async function authorize(
  deps: PermissionDeps,
  call: Call,
  needs: readonly PermissionNeed[],
  rules: Rules,
  signal: AbortSignal,
): Promise<void> {
  for (const need of needs) {
    const { permission, patterns } = need
    const decision = decidePermission(rules.scopes, permission, patterns)
    if (decision.action === "allow") continue
    if (decision.action === "deny") {
      const rule = `{ permission: "${decision.rule?.permission}", pattern: "${decision.rule?.pattern}", action: "deny" }`
      throw refused(`The rule ${rule} (${decision.scope}) denies ${permission} "${decision.pattern}".`, "rule")
    }
    if (isAnswered(rules, permission, patterns)) continue
    const metadata = { ...need.metadata }
    const { status } = await deps.hooks.guard(
      "permission.ask",
      { ...call, permission, patterns: [...patterns], metadata },
      { status: "ask" },
      signal,
    )
    if (status === "allow") continue
    if (status === "deny") throw refused(`A plugin denies ${permission} "${decision.pattern}".`, "rule")
    if (!deps.ask) {
      throw refused(
        `${permission} "${decision.pattern}" needs a permission, and nobody can be asked here. Allow it in the configuration under "permission".`,
        "asked",
      )
    }
    const request: PermissionRequest = {
      id: deps.ids.other("per"),
      sessionID: call.sessionID,
      permission,
      patterns,
      always: need.always ?? patterns,
      metadata,
      tool: { messageID: call.messageID, callID: call.callID },
    }
    deps.bus.publish("permission.asked", request)
    let reply: PermissionReply = "reject"
    try {
      const seconds = deps.deadlines.question / 1000
      const late = () => refused(`${permission} "${decision.pattern}" was not answered within ${seconds} s.`, "asked")
      reply = await answerOf(deps, deps.ask, request, signal, late)
    } finally {
      deps.bus.publish("permission.replied", { sessionID: call.sessionID, requestID: request.id, reply })
    }
    if (reply === "reject") throw refused(`${permission} "${decision.pattern}" was refused by the user.`, "asked")
    if (reply === "always") {
      for (const text of request.always)
        rules.remembered.push({ permission, text, isPattern: need.always !== undefined })
    }

    function refused(message: string, decidedBy: "rule" | "asked"): PermissionDeniedError {
      return new PermissionDeniedError(message, { permission, pattern: decision.pattern, decidedBy })
    }
  }
}

/** Waits no longer than the deadline and the signal allow; then the question is closed. */
async function answerOf(
  { deadlines }: Pick<PermissionDeps, "deadlines">,
  ask: AskPermission,
  request: PermissionRequest,
  signal: AbortSignal,
  late: () => Error,
): Promise<PermissionReply> {
  signal.throwIfAborted()
  const closing = new AbortController()
  const asked = (async () => ask(request, AbortSignal.any([signal, closing.signal])))()
  try {
    const answered = asked.catch((): PermissionReply => "reject")
    const reply = await within(deadlines.question, answered, late, signal)
    return reply === "once" || reply === "always" ? reply : "reject"
  } finally {
    closing.abort()
  }
}

/** Whether each pattern is allowed by a rule or by an earlier answer. */
function isAnswered(rules: Rules, permission: string, patterns: readonly string[]): boolean {
  const isRemembered = (text: string) =>
    rules.remembered.some((answer) => {
      if (answer.permission !== permission) return false
      return answer.isPattern ? matches(text, answer.text) : text === answer.text
    })
  const isAllowed = (text: string) => decidePermission(rules.scopes, permission, [text]).action === "allow"
  return patterns.length > 0 && patterns.every((text) => isRemembered(text) || isAllowed(text))
}
