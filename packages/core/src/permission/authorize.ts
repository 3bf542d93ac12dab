import { PermissionDeniedError, type Refusal, type RefusingRule } from "../errors.ts"
import type { Hooks } from "../hooks/hooks.ts"
import type { HookInput } from "../hooks/plugin.ts"
import type { JSONObject } from "../json.ts"
import type { QuestionPart } from "../session/message.ts"
import type { PermissionNeed } from "../tool/tool.ts"
import {
  addApprovals,
  type ApprovalDeps,
  type Approval,
  isApproved,
  offeredApprovals,
  readApprovals,
} from "./approvals.ts"
import { type AskPermission, type AskPolicy, toPermissionAnswer, toPermissionRequest } from "./ask.ts"
import { type CallQuestions, type CallQuestionsDeps, type Heard, heardFrom } from "./call-questions.ts"
import { ruleText } from "./explain.ts"
import { quoted } from "./quoted.ts"
import { decidePermission, type PermissionDecision, type PermissionRules } from "./rules.ts"

export interface AuthorizeDeps extends CallQuestionsDeps, ApprovalDeps {
  readonly hooks: Pick<Hooks, "guard">
  readonly deadlines: CallQuestionsDeps["deadlines"] & ApprovalDeps["deadlines"]
  /** Absent where nobody of this process can be asked. */
  readonly ask?: AskPermission | undefined
  readonly askPolicy: AskPolicy
}

export type AuthorizedCall = Pick<
  HookInput<"permission.ask">,
  "tool" | "callID" | "messageID" | "sessionID" | "rootSessionID" | "agent"
>

export interface AuthorizeScene {
  readonly rules: PermissionRules
  readonly questions: CallQuestions
  readonly signal: AbortSignal
}

/** Passes when every need is allowed, else throws PermissionDeniedError. */
export type Authorize = (
  deps: AuthorizeDeps,
  call: AuthorizedCall,
  needs: readonly PermissionNeed[],
  scene: AuthorizeScene,
) => Promise<void>

export const authorize: Authorize = async (deps, call, needs, scene) => {
  for (const need of needs) await authorizeNeed(deps, call, need, scene)
}

async function authorizeNeed(
  deps: AuthorizeDeps,
  call: AuthorizedCall,
  need: PermissionNeed,
  { rules, questions, signal }: AuthorizeScene,
): Promise<void> {
  const { permission, patterns } = need
  const decision = decidePermission(rules, need)
  if (decision.action === "allow") return
  const what = `${permission} ${quoted(decision.pattern)}`
  const refuse = (message: string, decidedBy: Refusal["decidedBy"]) => {
    return new PermissionDeniedError(message, {
      ...{ permission, pattern: decision.pattern, tool: call.tool, rule: ruleOf(decision), decidedBy },
    })
  }
  if (decision.action === "deny") throw refuse(`${capital(ruleText(decision))} denies ${what}.`, "rule")

  const about = aboutNeed(need)
  const isCovered = (approvals: readonly Approval[]) => isApproved(approvals, call.agent, rules, need)
  const earlier = questions.earlier(about)
  if (isCovered(await readApprovals(deps, call.rootSessionID))) {
    if (earlier) questions.withdraw(earlier, { type: "permission", reply: "always" })
    return
  }
  const asked = { ...call, permission, patterns: [...patterns], metadata: { ...about.metadata } }
  const { status } = await deps.hooks.guard("permission.ask", asked, { status: "ask" }, signal)
  if (status === "allow") {
    if (earlier) questions.withdraw(earlier, { type: "permission", reply: "once" })
    return
  }
  if (status === "deny") {
    if (earlier) questions.withdraw(earlier, { type: "permission", reply: "reject" })
    throw refuse(`A plugin denies ${what}.`, "rule")
  }

  const { ask } = deps
  const mayAsk = ask !== undefined || deps.askPolicy === "wait" || earlier?.answer !== undefined
  if (!mayAsk) {
    if (earlier) questions.withdraw(earlier, { type: "dismissed", reason: "Nobody can be asked here." })
    const refused = refuse(
      `The ${call.tool} tool needs permission for ${what}, which is to be asked by ${ruleText(decision)}, and nobody can be asked here. Allow it in the configuration under "permission".`,
      "asked",
    )
    tellRefused(deps, call, about, { refused, earlier })
    throw refused
  }
  const heard = await questions.ask({
    about,
    isCovered,
    approvals: () => readApprovals(deps, call.rootSessionID),
    callback: ask && ((part, closing) => askPerson(ask, part, call, closing)),
  })
  const reply = replyOf(heard)
  if (reply === "once") return
  if (reply === "always") {
    const { agent, rootSessionID } = call
    // Settled by the answer to another question: what this one proposes nobody has allowed.
    if (isCovered(await readApprovals(deps, rootSessionID))) return
    const added = about.always.map((pattern) => ({ agent, permission, pattern, ...placeOf(need) }))
    const approvals = await addApprovals(deps, rootSessionID, added)
    deps.desk.allowCovered(rootSessionID, agent, approvals)
    return
  }
  if (heard.type === "late") throw refuse(`${what} ${heard.reason}.`, "asked")
  if (heard.type === "permission" && heard.message !== undefined) {
    throw refuse(`The user refused ${what}, and says: ${heard.message}`, "feedback")
  }
  deps.desk.rejectAll(call.sessionID)
  throw refuse(`${what} was refused by the user.`, "asked")
}

function aboutNeed(
  need: PermissionNeed,
): Extract<QuestionPart["about"], { type: "permission" }> & { metadata: JSONObject } {
  const { permission, patterns, unclear } = need
  const metadata = { ...need.metadata, ...(unclear === undefined ? {} : { unclear }) }
  const always = [...offeredApprovals(need)]
  return { type: "permission", permission, patterns: [...patterns], always, ...placeOf(need), metadata }
}

/**
 * What is refused unasked is no question that could be answered; those who follow the run hear of it all the same. Of one
 * that was asked before a crash they hear that it is closed when that is stored.
 */
function tellRefused(
  { bus, ids }: Pick<AuthorizeDeps, "bus" | "ids">,
  { sessionID, rootSessionID, messageID, callID }: AuthorizedCall,
  about: ReturnType<typeof aboutNeed>,
  { refused, earlier }: { readonly refused: Refusal; readonly earlier: QuestionPart | undefined },
): void {
  const { permission, pattern, tool, rule, decidedBy } = refused
  const { patterns, always, metadata } = about
  const id = earlier?.id ?? ids.part()
  bus.publish("permission.asked", {
    ...{ id, sessionID, rootSessionID, tool: { messageID, callID } },
    ...{ permission, patterns, always, ...placeOf(about), metadata },
    refused: { permission, pattern, tool, rule, decidedBy },
  })
  if (!earlier) bus.publish("permission.replied", { sessionID, rootSessionID, requestID: id, reply: "reject" })
}

function placeOf({ directory }: { readonly directory?: string | undefined }): Pick<PermissionNeed, "directory"> {
  return directory === undefined ? {} : { directory }
}

async function askPerson(
  ask: AskPermission,
  part: QuestionPart,
  { rootSessionID }: AuthorizedCall,
  signal: AbortSignal,
) {
  const request = toPermissionRequest(part, rootSessionID)
  const refusal = toPermissionAnswer("reject")
  if (!request) return refusal
  return heardFrom(
    async () => {
      const given = toPermissionAnswer(await ask(request, signal))
      // What cannot be allowed for good was allowed now.
      return given.reply === "always" && request.always.length === 0 ? { ...given, reply: "once" } : given
    },
    () => refusal,
  )
}

function replyOf(heard: Heard): "once" | "always" | "reject" {
  return heard.type === "permission" ? heard.reply : "reject"
}

function ruleOf({ rule, scope, file, line }: PermissionDecision): RefusingRule | undefined {
  if (!rule) return undefined
  const { permission, pattern, action } = rule
  const place = { ...(file === undefined ? {} : { file }), ...(line === undefined ? {} : { line }) }
  return { permission, pattern, action, scope: scope ?? "", ...place }
}

function capital(sentence: string): string {
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}`
}
