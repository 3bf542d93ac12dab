import type { Server } from "@modelcontextprotocol/sdk/server/index.js"
import type { Choice, PermissionReply, PermissionRequest } from "@pawl/core/host"
import type { CallInputs } from "./call-inputs.ts"
import type { Prompters } from "./serve-host.ts"

/** The parts of the SDK's server that asking a client needs. */
export type AskingServer = Pick<Server, "elicitInput" | "getClientCapabilities">
type Form = Parameters<Server["elicitInput"]>[0] & { readonly mode?: "form" }

const REPLIES: readonly PermissionReply[] = ["once", "always", "reject"]
/** In milliseconds. The engine has its own limit for questions. */
const QUESTION_TIMEOUT_MS = 2_147_483_647

/** Asks the client's user. Empty if the client cannot ask. Invalid answers count as refusal. */
export function clientPrompters(server: AskingServer, calls: Pick<CallInputs, "of">): Prompters {
  if (!server.getClientCapabilities()?.elicitation) return {}
  const ask = (form: Form, signal: AbortSignal) => server.elicitInput(form, { signal, timeout: QUESTION_TIMEOUT_MS })
  return {
    async ask(request, signal) {
      const { always, tool } = request
      const replies = REPLIES.filter((reply) => reply !== "always" || always.length > 0)
      const answer = { type: "string" as const, title: "Answer", enum: [...replies] }
      const requestedSchema = { type: "object" as const, properties: { answer }, required: ["answer"] }
      const message = permissionText(request, calls.of(tool.callID))
      const { action, content } = await ask({ message, requestedSchema }, signal)
      const reply = REPLIES.find((each) => each === content?.["answer"])
      return action === "accept" && reply ? reply : "reject"
    },
    async askChoice({ questions }, signal) {
      const properties = Object.fromEntries(questions.map((choice, at) => [keyOf(at), fieldOf(choice)]))
      const message = questions.map(choiceText).join("\n\n")
      const { action, content } = await ask({ message, requestedSchema: { type: "object", properties } }, signal)
      if (action !== "accept") return undefined
      return questions.map(({ multiple = false }, at) => chosen(content?.[keyOf(at)], multiple))
    },
  }
}

/** Describes the whole call, because the patterns may show less. */
function permissionText(
  { permission, patterns, always, directory, metadata }: PermissionRequest,
  call?: string,
): string {
  const { unclear } = metadata
  return [
    `The agent asks for the permission "${permission}": ${patterns.join(", ")}`,
    ...(directory === undefined ? [] : [`In: ${directory}`]),
    ...(typeof unclear === "string" ? [`It is not clear: ${unclear}`] : []),
    ...(call === undefined ? [] : [`For: ${call}`]),
    ...(always.length === 0 ? [] : [`"always" allows in this session: ${always.join(", ")}`]),
  ].join("\n")
}

function choiceText({ question, options }: Choice): string {
  return [
    question,
    ...options.map(({ label, description }) => `- ${label}${description === "" ? "" : `: ${description}`}`),
  ].join("\n")
}

function keyOf(at: number): string {
  return `answer_${at + 1}`
}

/**
 * A form cannot combine a choice with free text, so such a question becomes a text field whose description lists the
 * choices.
 */
function fieldOf({ header, options, multiple = false, custom = true }: Choice) {
  const labels = options.map(({ label }) => label)
  if (!multiple && !custom && labels.length > 0) return { type: "string" as const, title: header, enum: labels }
  const several = multiple ? " Several are separated by commas." : ""
  const own = custom ? ", or your own words" : ""
  return { type: "string" as const, title: header, description: `${labels.join(", ")}${own}.${several}` }
}

function chosen(value: unknown, multiple: boolean): readonly string[] {
  if (typeof value !== "string" || value.trim() === "") return []
  return multiple ? value.split(",").map((label) => label.trim()) : [value.trim()]
}
