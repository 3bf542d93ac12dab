import { z } from "zod"
import { agentPart, filePart, subtaskPart, textPart } from "../record/schema/content-parts.ts"
import { messageID, modelRef, partID, providerErrorKind, sessionID } from "../record/schema/fields.ts"
import { message, userMessage } from "../record/schema/message.ts"
import { part } from "../record/schema/part.ts"

// One row for each hook: its class, the input of the handler, and the draft that it may edit.
//   guard        a handler that throws or is late refuses the action
//   transform    a handler that fails is skipped, and the draft stays as it was
//   observer     called without waiting; its failure is reported
//   contribution not called: a value, or a function that returns one, for the engine or its host
// `rootSessionID` is the session itself if it has no parent.

const call = {
  tool: z.string(),
  callID: z.string(),
  messageID,
  sessionID,
  rootSessionID: sessionID,
  agent: z.string(),
}
const session = { sessionID, rootSessionID: sessionID }
const requester = { ...session, agent: z.string(), model: modelRef }
const request = { ...requester, message: userMessage }
const json = z.record(z.string(), z.unknown())
const withParts = z.object({ info: message, parts: z.array(part) })
const none = z.object({})
/** A part of a prompt before it has an id. */
const promptPart = z.discriminatedUnion("type", [
  textPart.pick({ type: true, text: true, synthetic: true, ignored: true }),
  filePart.pick({ type: true, mime: true, filename: true, url: true }),
  agentPart.pick({ type: true, name: true, source: true }),
  subtaskPart.pick({ type: true, prompt: true, description: true, agent: true, model: true, command: true }),
])
const compacted = z.object({
  sessionID,
  rootSessionID: sessionID.optional(),
  auto: z.boolean(),
  /**
   * `prune`: outputs were cleared; `summary`: made by a model or a hook; `extract`, `tail`: made by the engine itself.
   */
  strategy: z.enum(["prune", "summary", "extract", "tail"]),
  /** Tokens of the next request, before and after. */
  before: z.number(),
  after: z.number(),
  /** US dollars for the summarizer's calls. */
  cost: z.number(),
  /** Messages that are no longer sent, or whose outputs are not. */
  dropped: z.array(messageID),
  /** Reason that no model's summary was used although one was requested. */
  reason: z.string().optional(),
})

interface HookRow {
  readonly class: "guard" | "transform" | "observer" | "contribution"
  readonly input: z.ZodType
  readonly output: z.ZodType
}

export const hookMap = {
  /** Before a call of any tool. Throw to refuse it. Edited arguments are parsed and authorized like the model's own. */
  "tool.execute.before": { class: "guard", input: z.object(call), output: z.object({ args: z.unknown() }) },
  /** After each call that `before` handled, with any status. */
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
  /** Before old messages are replaced by a summary. */
  "session.compacting": {
    class: "transform",
    input: z.object({
      ...requester,
      directory: z.string(),
      worktree: z.string(),
      /**
       * `full`: the window is full; `refused`: the provider refused the request; `soft`: in the background; `asked`:
       * requested by a user or program.
       */
      reason: z.enum(["full", "refused", "soft", "asked"]),
      /** Tokens that the summary may take. */
      budget: z.number(),
      /** The messages to replace, oldest first. */
      messageIDs: z.array(messageID),
      /** Files, commands, failing tests and decisions so far, as the engine keeps them. */
      ledger: json,
      /** Tokens of the next request as it is, and the usable limit. */
      usage: z.object({ tokens: z.number(), usable: z.number() }),
    }),
    output: z.object({
      /** Added to the summarizer's instructions. */
      context: z.array(z.string()),
      /** Replaces the summarizer's instructions. */
      prompt: z.string().optional(),
      /** Replaces the summary of a model. */
      summary: z.string().optional(),
      /** Ids of messages, or of parts, that stay word for word in addition to the newest. */
      keep: z.array(z.string()).optional(),
      /** Skips this compaction. Respected if the next request fits anyway, at most three times in a row. */
      skip: z.boolean().optional(),
    }),
  },
  /** After old messages were replaced, or old outputs cleared. */
  "session.compacted": { class: "observer", input: compacted, output: none },
  /** When a text of the answer is complete. */
  "text.complete": {
    class: "transform",
    input: z.object({ ...session, messageID, partID, agent: z.string() }),
    output: z.object({ text: z.string() }),
  },
  /** Before a user message is stored. */
  "chat.message": {
    class: "transform",
    input: z.object({
      ...{ ...session, messageID, agent: z.string().optional(), model: modelRef.optional() },
      variant: z.string().optional(),
    }),
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
  /** When a request has failed, before the engine decides how to continue. */
  "provider.error": {
    class: "transform",
    input: z.object({
      ...requester,
      messageID,
      /** Number of the attempt at this step with this model, from 1. */
      attempt: z.number(),
      message: z.string(),
      statusCode: z.number().optional(),
      responseHeaders: z.record(z.string(), z.string()).optional(),
      responseBody: z.string().optional(),
    }),
    output: z.object({
      kind: providerErrorKind,
      /** Milliseconds to wait before the next attempt. */
      retryAfter: z.number().min(0).optional(),
    }),
  },
  /** The system prompt as blocks, the most stable first. */
  "chat.system.transform": {
    class: "transform",
    input: z.object(requester),
    output: z.object({ system: z.array(z.string()) }),
  },
  /** The messages of the next request. Changes are sent, not stored. */
  "chat.messages.transform": {
    class: "transform",
    input: z.object(requester),
    output: z.object({ messages: z.array(withParts) }),
  },
  /** When a rule says `ask`, before the user is asked. */
  "permission.ask": {
    class: "guard",
    input: z.object({ ...call, permission: z.string(), patterns: z.array(z.string()), metadata: json }),
    output: z.object({ status: z.enum(["ask", "allow", "deny"]) }),
  },
  /** Before `chat.message`, if the prompt is made by a command. The parts are those that the command made. */
  "command.execute.before": {
    class: "transform",
    input: z.object({ ...requester, messageID, command: z.string(), arguments: z.string() }),
    output: z.object({ parts: z.array(promptPart) }),
  },
  /** When a tool starts a child process. The variables are added to the child's environment. */
  "shell.env": {
    class: "transform",
    input: z.object({ ...call, cwd: z.string() }),
    output: z.object({ env: z.record(z.string(), z.string()) }),
  },
  /** For each tool when a run starts, and again when tools or settings have changed. */
  "tool.definition": {
    class: "transform",
    input: z.object({ toolID: z.string(), ...session, agent: z.string().optional(), model: modelRef.optional() }),
    output: z.object({ description: z.string(), inputSchema: json }),
  },
  /** Each event of the engine. */
  event: {
    class: "observer",
    input: z.object({ event: z.object({ type: z.string() }), rootSessionID: sessionID.optional() }),
    output: none,
  },
  /** When the host has read its configuration. */
  config: { class: "transform", input: none, output: json },
  /** Tools by name, or a function that returns them. */
  tool: { class: "contribution", input: none, output: json },
  /** A function that returns commands. */
  command: { class: "contribution", input: none, output: json },
  /** Resources that `@<uri>` in a prompt can name. */
  resource: { class: "contribution", input: none, output: json },
  /** Ways to sign in to a provider. */
  auth: { class: "contribution", input: none, output: json },
  /** Models of a provider. */
  provider: { class: "contribution", input: none, output: json },
  /** Chooses the model that titles a session, if none is configured. */
  "provider.small_model": {
    class: "transform",
    input: z.object({ ...session, providerID: z.string() }),
    output: z.object({ model: modelRef.optional() }),
  },
  /** After a compaction in the middle of a turn: decides whether the agent continues automatically. */
  "compaction.autocontinue": {
    class: "transform",
    input: z.object({ ...requester, overflow: z.boolean() }),
    output: z.object({ enabled: z.boolean() }),
  },
  /** When the engine closes. */
  dispose: { class: "observer", input: none, output: none },
} satisfies Record<string, HookRow>

export type HookMap = typeof hookMap
export type HookName = keyof HookMap

export type CompactionApplied = z.infer<typeof compacted>
