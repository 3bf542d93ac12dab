import { call, finish, reasoning, reply, type Reply, text, usage } from "@pawl/model-server"
import type { Expected, Fault } from "./fault.ts"
import { whole } from "./faulty-front.ts"
import { OUTPUT_TOKENS, WORDS } from "./turn.ts"
import type { WholeAnswer } from "./whole-answer.ts"
import type { WireName } from "./wires.ts"

const bill = usage({ inputTokens: 5000, outputTokens: OUTPUT_TOKENS })

const said = (name: string, toReply: () => Reply, expected: Expected = "answered"): Fault => ({
  name,
  expected: () => expected,
  spoil: () => async (_answer, ask) => whole(await ask(toReply())),
})

const edited = (name: string, edit: (body: string) => string, wires?: readonly WireName[]): Fault => ({
  name,
  expected: () => "answered",
  spoil: (wire) => {
    if (wires && !wires.includes(wire)) return undefined
    return (answer: WholeAnswer) => whole({ ...answer, body: Buffer.from(edit(answer.body.toString())) })
  },
})

const calls = WORDS.map((word) => call("mark", { text: word }, { id: "call_same" }))

/** Invalid calls in an answer that should have calls. */
export const callFaults: readonly Fault[] = [
  said("two calls with the same id", () => reply(bill, reasoning("Hm."), text("I look at both of them."), ...calls)),
  edited(
    "whole calls twice",
    (body) => body.replaceAll(/event: response\.output_item\.done\n.*"function_call".*\n\n/g, "$&$&"),
    ["responses"],
  ),
  said("half JSON as arguments", () => reply(bill, reasoning("Hm."), call("mark", '{"text":"alpha'))),
  said("no JSON as arguments", () => reply(bill, reasoning("Hm."), call("mark", "alpha"))),
  said("an unknown tool", () => reply(bill, reasoning("Hm."), call("nothing", {}))),
]

/** Complete answers with invalid content. */
export const spokenFaults: readonly Fault[] = [
  said("an empty answer", () => reply()),
  said("nothing but reasoning", () => reply(bill, reasoning("Hm."))),
  said("nothing but blanks", () => reply(bill, text(" \n "))),
  said("a finish for tool calls, and no call", () => reply(bill, finish("tool-calls"))),
  said("an empty answer at its length limit", () => reply(bill, finish("length")), ["output-length"]),
  said("refused by the content filter", () => reply(bill, text("I can"), finish("content-filter")), ["content-policy"]),
  edited("no usage", (body) =>
    body
      .replaceAll(/"usageMetadata":\{.*?\},(?="modelVersion)/g, "")
      .replaceAll(/,?"usage":\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}/g, ""),
  ),
  edited("usage with every event", withUsageEverywhere, ["chat"]),
]

/** Adds running totals to each event, as some servers do. */
function withUsageEverywhere(body: string): string {
  const bill = /"usage":\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}/.exec(body)?.[0] ?? '"usage":null'
  return body.replaceAll('"usage":null', bill)
}
