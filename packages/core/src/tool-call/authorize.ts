import { PermissionDeniedError, type Refusal, type RefusingRule } from "../base/errors.ts"
import type { Hooks } from "../hooks/hooks.ts"
import type { HookInput } from "../contracts/hooks.ts"
import type { JSONObject } from "../base/json.ts"
import type { QuestionPart } from "../record/message.ts"
import type { PermissionNeed } from "../contracts/tool.ts"
import {
  addApprovals,
  type ApprovalDeps,
  type Approval,
  isApproved,
  offeredApprovals,
  readApprovals,
} from "../permission/approvals.ts"
import { type AskPermission, type AskPolicy, toPermissionAnswer, toPermissionRequest } from "../contracts/ask.ts"
import { answerProblem } from "../questions/answer-problem.ts"
import {
  type CallQuestions,
  type CallQuestionsDeps,
  type QuestionOutcome,
  answerOrElse,
} from "../questions/call-questions.ts"
import { chosenApprovals } from "../permission/chosen-patterns.ts"
import { ruleText } from "../permission/explain.ts"
import { quoted } from "../base/quoted.ts"
import { type JudgedNeed, judgeNeeds } from "../permission/judge-needs.ts"
import type { PermissionDecision, PermissionRules } from "../permission/rules.ts"

export interface AuthorizeDeps {
  readonly hooks: Pick<Hooks, "guard">
  readonly store: CallQuestionsDeps["store"] & ApprovalDeps
  readonly calls: CallQuestionsDeps["calls"] & {
    /** Asks the user. Missing if this process cannot ask. */
    readonly ask?: AskPermission | undefined
    readonly askPolicy: AskPolicy
  }
}

export type AuthorizedCall = Pick<
  HookInput<"permission.ask">,
  "tool" | "callID" | "messageID" | "sessionID" | "rootSessionID" | "agent"
>

/** The rules for a call, and how it asks the user. */
export interface AuthorizeInput {
  readonly rules: PermissionRules
  readonly questions: CallQuestions
  readonly signal: AbortSignal
}

/**
 * Resolves if every need is allowed, else rejects with PermissionDeniedError. All rules and plugins decide on all needs
 * before the user is asked for a need.
 */
export type Authorize = (
  deps: AuthorizeDeps,
  call: AuthorizedCall,
  needs: readonly PermissionNeed[],
  input: AuthorizeInput,
) => Promise<void>

export const authorize: Authorize = async (deps, call, needs, input) => {
  const { rules, questions } = input
  const judge = { rules, agent: call.agent }
  const { action, decisive } = judgeNeeds({ ...judge, approvals: [] }, needs)
  if (action === "allow" || !decisive) return
  if (action === "deny") throw denied(call, decisive)
  const judged = judgeNeeds({ ...judge, approvals: await readApprovals(deps.store, call.rootSessionID) }, needs).needs
  for (const { need, isApproved } of judged) {
    const earlier = isApproved && questions.earlier(aboutNeed(need))
    if (earlier) questions.withdraw(earlier, { type: "permission", reply: "always" })
  }
  const open = await askPlugins(deps, call, judged, input)
  // A refusal from before a crash stays a refusal, so the user is not asked again.
  const refused = open.find(({ need }) => isRefusal(questions.earlier(aboutNeed(need))?.answer))
  if (refused) await askFor(deps, call, refused, input)
  requirePeople(deps, call, open, input)
  for (const each of open) await askFor(deps, call, each, input)
}

function denied(call: AuthorizedCall, { need, decision }: JudgedNeed): PermissionDeniedError {
  const message = `${capital(ruleText(decision))} denies ${need.permission} ${quoted(decision.pattern)}.`
  return refusal(call, decision, message, "rule")
}

function refusal(
  { tool }: AuthorizedCall,
  decision: PermissionDecision,
  message: string,
  decidedBy: Refusal["decidedBy"],
): PermissionDeniedError {
  const { permission, pattern } = decision
  return new PermissionDeniedError(message, { permission, pattern, tool, rule: ruleOf(decision), decidedBy })
}

/** Asks the plugins, and returns the needs that the user still has to decide. */
async function askPlugins(
  deps: AuthorizeDeps,
  call: AuthorizedCall,
  judged: readonly JudgedNeed[],
  { questions, signal }: AuthorizeInput,
): Promise<JudgedNeed[]> {
  const open: JudgedNeed[] = []
  for (const each of judged) {
    const { need, decision, action } = each
    if (action !== "ask") continue
    const { permission, patterns } = need
    const about = aboutNeed(need)
    const input = { ...call, permission, patterns: [...patterns], metadata: { ...about.metadata } }
    const { status } = await deps.hooks.guard("permission.ask", input, { status: "ask" }, signal)
    const earlier = questions.earlier(about)
    if (status === "deny") {
      if (earlier) questions.withdraw(earlier, { type: "permission", reply: "reject" })
      const what = `${permission} ${quoted(decision.pattern)}`
      throw refusal(call, decision, `A plugin denies ${what}.`, "rule")
    }
    if (status === "ask") open.push(each)
    else if (earlier) questions.withdraw(earlier, { type: "permission", reply: "once" })
  }
  return open
}

/** Throws if a need is open and no user can be asked. Then no question is asked, and earlier answers are not used. */
function requirePeople(
  deps: AuthorizeDeps,
  call: AuthorizedCall,
  open: readonly JudgedNeed[],
  { questions }: AuthorizeInput,
): void {
  if (deps.calls.ask !== undefined || deps.calls.askPolicy === "wait") return
  const unanswered = open.find(({ need }) => questions.earlier(aboutNeed(need))?.answer === undefined)
  if (!unanswered) return
  const { need, decision } = unanswered
  const about = aboutNeed(need)
  const earlier = questions.earlier(about)
  if (earlier) questions.withdraw(earlier, { type: "dismissed", reason: "No user can be asked here." })
  const what = `${need.permission} ${quoted(decision.pattern)}`
  const message = `The ${call.tool} tool needs permission for ${what}${whyAsked(decision)}`
  const refused = refusal(call, decision, message, "asked")
  publishRefused(deps.store, call, about, { refused, earlier })
  throw refused
}

async function askFor(
  deps: AuthorizeDeps,
  call: AuthorizedCall,
  { need, decision }: JudgedNeed,
  { rules, questions }: AuthorizeInput,
): Promise<void> {
  const { store, calls } = deps
  const { ask, openQuestions } = calls
  const { agent, rootSessionID, sessionID } = call
  const { permission } = need
  const about = aboutNeed(need)
  const isCovered = (approvals: readonly Approval[]) => isApproved(approvals, agent, rules, need)
  const outcome = await questions.ask({
    about,
    isCovered,
    approvals: () => readApprovals(store, rootSessionID),
    callback: ask && ((part, closing) => askUser(ask, part, call, closing)),
  })
  const reply = replyOf(outcome)
  if (reply === "once") return
  if (reply === "always") {
    // The answer to another question covers this need, so do not store this question's own patterns as approved.
    if (isCovered(await readApprovals(store, rootSessionID))) return
    const chosen = outcome.type === "permission" ? outcome.patterns : undefined
    const added = chosenApprovals(about, chosen).map((each) => ({ agent, permission, ...each, ...placeOf(need) }))
    const approvals = await addApprovals(store, rootSessionID, added)
    openQuestions.allowCovered(rootSessionID, agent, approvals)
    return
  }
  const what = `${permission} ${quoted(decision.pattern)}`
  if (outcome.type === "late") throw refusal(call, decision, `${what} ${outcome.reason}.`, "asked")
  if (outcome.type === "permission" && outcome.message !== undefined) {
    throw refusal(call, decision, `The user refused ${what}, and says: ${outcome.message}`, "feedback")
  }
  openQuestions.rejectAll(sessionID)
  throw refusal(call, decision, `${what} was refused by the user.`, "asked")
}

function isRefusal(answer: QuestionPart["answer"]): boolean {
  return answer !== undefined && replyOf(answer) === "reject"
}

/** Returns the rest of the sentence. Suggests no rule for an unclear need, because rules cannot allow it. */
function whyAsked({ unclear, ...decision }: PermissionDecision): string {
  return unclear === undefined
    ? `, which needs approval by ${ruleText(decision)}, and this run cannot ask for it. Allow it in the configuration under "permission".`
    : `, because it is not clear what it does, and this run cannot ask. ${unclear}`
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
 * Publishes a need that was refused without a question, for listeners of the run. If it was asked before a crash, the
 * event that closes the question follows when the answer is stored.
 */
function publishRefused(
  { bus, ids }: Pick<AuthorizeDeps["store"], "bus" | "ids">,
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

async function askUser(ask: AskPermission, part: QuestionPart, { rootSessionID }: AuthorizedCall, signal: AbortSignal) {
  const request = toPermissionRequest(part, rootSessionID)
  const refusal = toPermissionAnswer("reject")
  if (!request) return refusal
  return answerOrElse(
    async () => {
      const answer = toPermissionAnswer(await ask(request, signal))
      if (answer.reply !== "always") return answer
      // A request that cannot be allowed permanently, or not with these patterns, is allowed once.
      return answerProblem(part, answer) === undefined ? answer : toPermissionAnswer("once")
    },
    () => refusal,
  )
}

function replyOf(outcome: QuestionOutcome): "once" | "always" | "reject" {
  return outcome.type === "permission" ? outcome.reply : "reject"
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
