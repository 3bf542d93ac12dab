import { z } from "zod"
import { filePart, message, messageID, modelRef, part, partID, sessionID, userMessage } from "../session/message.ts"

// One row for each hook: its class, what the handler is told, and the draft it may edit.
//   guard        a handler that throws or is late refuses what was about to happen
//   transform    a handler that fails is skipped, the draft stays as it was
//   observer     told without waiting; its failure is reported
//   contribution not called: a value that the engine reads when the plugin is loaded

const call = {
  tool: z.string(),
  callID: z.string(),
  messageID,
  sessionID,
  rootSessionID: sessionID,
  agent: z.string(),
}
const request = { sessionID, agent: z.string(), model: modelRef, message: userMessage }
const json = z.record(z.string(), z.unknown())
const withParts = z.object({ info: message, parts: z.array(part) })
const none = z.object({})

interface HookRow {
  readonly class: "guard" | "transform" | "observer" | "contribution"
  readonly input: z.ZodType
  readonly output: z.ZodType
}

export const hookMap = {
  /** Before a call of any tool. Throw to refuse it; edited arguments are parsed and authorized like the model's own. */
  "tool.execute.before": { class: "guard", input: z.object(call), output: z.object({ args: z.unknown() }) },
  /** After each call that `before` saw, whatever became of it. */
  "tool.execute.after": {
    class: "transform",
    input: z.object({
      ...call,
      args: z.unknown(),
      status: z.enum(["completed", "error", "denied", "aborted", "timeout"]),
    }),
    output: z.object({
      title: z.string(),
      output: z.string(),
      metadata: json,
      attachments: z.array(filePart.pick({ type: true, mime: true, filename: true, url: true })).optional(),
    }),
  },
  "session.compacting": {
    class: "transform",
    input: z.object({ sessionID }),
    output: z.object({ context: z.array(z.string()), prompt: z.string().optional() }),
  },
  /** When a text of the answer is complete. */
  "text.complete": {
    class: "transform",
    input: z.object({ sessionID, messageID, partID }),
    output: z.object({ text: z.string() }),
  },
  /** Before a user message is stored. */
  "chat.message": {
    class: "transform",
    input: z.object({ sessionID, messageID, agent: z.string().optional(), model: modelRef.optional() }),
    output: z.object({ message: userMessage, parts: z.array(part) }),
  },
  /** Before each request. */
  "chat.params": {
    class: "transform",
    input: z.object(request),
    output: z.object({
      temperature: z.number().optional(),
      topP: z.number().optional(),
      topK: z.number().optional(),
      maxOutputTokens: z.number().optional(),
      options: json,
    }),
  },
  /** Before each request, after `chat.params`. */
  "chat.headers": {
    class: "transform",
    input: z.object(request),
    output: z.object({ headers: z.record(z.string(), z.string()) }),
  },
  /** The system prompt as blocks, the most stable first. */
  "chat.system.transform": {
    class: "transform",
    input: z.object({ sessionID, model: modelRef }),
    output: z.object({ system: z.array(z.string()) }),
  },
  /** The messages of the next request. What is changed here is sent, not stored. */
  "chat.messages.transform": {
    class: "transform",
    input: z.object({ sessionID }),
    output: z.object({ messages: z.array(withParts) }),
  },
  /** When a rule says `ask`, before a person is asked. */
  "permission.ask": {
    class: "guard",
    input: z.object({ ...call, permission: z.string(), patterns: z.array(z.string()), metadata: json }),
    output: z.object({ status: z.enum(["ask", "allow", "deny"]) }),
  },
  "command.execute.before": {
    class: "transform",
    input: z.object({ command: z.string(), sessionID, arguments: z.string() }),
    output: z.object({ parts: z.array(part) }),
  },
  /** When a tool starts a child process: added to what the child gets as its environment. */
  "shell.env": {
    class: "transform",
    input: z.object({ cwd: z.string(), sessionID, callID: z.string() }),
    output: z.object({ env: z.record(z.string(), z.string()) }),
  },
  /** For each tool when a run starts. */
  "tool.definition": {
    class: "transform",
    input: z.object({ toolID: z.string(), sessionID }),
    output: z.object({ description: z.string(), inputSchema: json }),
  },
  /** Each event of the engine. */
  event: { class: "observer", input: z.object({ event: z.object({ type: z.string() }) }), output: none },
  config: { class: "transform", input: none, output: json },
  tool: { class: "contribution", input: none, output: json },
  auth: { class: "contribution", input: none, output: json },
  provider: { class: "contribution", input: none, output: json },
  "compaction.autocontinue": {
    class: "transform",
    input: z.object({ sessionID, overflow: z.boolean() }),
    output: z.object({ enabled: z.boolean() }),
  },
  /** When the engine closes. */
  dispose: { class: "observer", input: none, output: none },
} satisfies Record<string, HookRow>

export type HookMap = typeof hookMap
export type HookName = keyof HookMap
