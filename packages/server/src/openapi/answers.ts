import {
  agentPart,
  assistantMessage,
  choice,
  compactionPart,
  fileDiff,
  filePart,
  messageID,
  modelRef,
  partID,
  patchPart,
  permissionRule,
  reasoningPart,
  retryPart,
  session as storedSession,
  sessionID,
  snapshotPart,
  stepFinishPart,
  stepStartPart,
  storedError,
  subtaskPart,
  textPart,
  toolPart,
  uncoveredFile,
  undoneFile,
  userMessage,
} from "@pawl/core/schemas"
import { z } from "zod"

// Schemas of answers, for the OpenAPI document and its clients. The functions in `shapes` make the values.

/** The names of schemas in the document. */
export const names = z.registry<{ id: string }>()

function named<T extends z.ZodType>(id: string, schema: T): T {
  names.add(schema, { id })
  return schema
}

const fields = z.record(z.string(), z.unknown())
const own = <K extends string>(...keys: readonly K[]) =>
  Object.fromEntries(keys.map((key) => [key, true])) as Record<K, true>

export const yes = z.boolean()
export const error = named("Error", z.object({ name: z.string(), data: z.looseObject({ message: z.string() }) }))
const ownError = named("SessionError", storedError)
export const diff = named("FileDiff", fileDiff)
const rule = named("PermissionRule", permissionRule)

const { tokens } = assistantMessage.shape

export const session = named(
  "Session",
  storedSession
    .omit(own("boundary", "pins", "approvals", "delegation", "model", "variant", "share", "undo", "undoNotice"))
    .extend({
      slug: z.string(),
      permission: z.array(rule).optional(),
      model: z.object({ id: z.string(), providerID: z.string(), variant: z.string().optional() }).optional(),
      share: z.object({ url: z.string() }).optional(),
      /** Only in answers to `session.get` and `session.list`. */
      cost: z.number().optional(),
      tokens: tokens.optional(),
    }),
)

export const newerSession = named(
  "NewerSession",
  storedSession.pick(own("id", "parentID", "projectID", "agent", "title")).extend({
    model: session.shape.model,
    cost: z.number(),
    tokens,
    time: storedSession.shape.time.omit(own("compacting")),
    location: z.object({ directory: z.string() }),
    subpath: z.string().optional(),
    revert: storedSession.shape.revert,
  }),
)

const outcomes = z.object({ files: z.array(undoneFile), uncovered: z.array(uncoveredFile) })
export const undoneSession = named("UndoneSession", session.extend({ undone: outcomes.optional() }))

export const globalSession = named(
  "GlobalSession",
  session.extend({ project: z.object({ id: z.string(), worktree: z.string() }).nullable() }),
)

const user = named(
  "UserMessage",
  userMessage.omit(own("variant", "clientID")).extend({ model: modelRef.extend({ variant: z.string().optional() }) }),
)
export const assistant = named(
  "AssistantMessage",
  assistantMessage.omit(own("requests", "estimated", "copyOf")).extend({ error: ownError.optional() }),
)
const message = named("Message", z.discriminatedUnion("role", [user, assistant]))

export const part = named(
  "Part",
  z.discriminatedUnion("type", [
    named("TextPart", textPart.omit(own("shownBytes"))),
    named("ReasoningPart", reasoningPart.omit(own("shownBytes"))),
    named("FilePart", filePart.omit(own("rejected"))),
    named("ToolPart", toolPart.omit(own("changes", "uncovered", "shownBytes"))),
    named("StepStartPart", stepStartPart),
    named("StepFinishPart", stepFinishPart.omit(own("measured", "prefix"))),
    named("SnapshotPart", snapshotPart),
    named("PatchPart", patchPart.omit(own("callID", "changes", "uncovered"))),
    named("AgentPart", agentPart),
    named("SubtaskPart", subtaskPart),
    named("RetryPart", retryPart.omit(own("kind", "next", "elapsed", "fallback", "cost", "tokens"))),
    named("CompactionPart", compactionPart.omit(own("focus", "through", "keep", "prepared", "calls"))),
  ]),
)
export const messageWithParts = named("MessageWithParts", z.object({ info: message, parts: z.array(part) }))

export const status = named(
  "SessionStatus",
  z.discriminatedUnion("type", [
    z.object({ type: z.literal("idle") }),
    z.object({ type: z.literal("busy") }),
    z.object({
      type: z.literal("retry"),
      attempt: z.number(),
      attempts: z.number(),
      kind: z.string().optional(),
      message: z.string(),
      next: z.number(),
    }),
  ]),
)
export const todo = named(
  "Todo",
  z.object({ id: z.string(), content: z.string(), status: z.string(), priority: z.string() }),
)

const call = z.object({ messageID: z.string(), callID: z.string() })
export const permissionRequest = named(
  "PermissionRequest",
  z.object({
    id: z.string(),
    sessionID,
    permission: z.string(),
    patterns: z.array(z.string()),
    metadata: fields,
    always: z.array(z.string()),
    tool: call,
  }),
)
export const newerPermission = named(
  "NewerPermissionRequest",
  z.object({
    id: z.string(),
    sessionID,
    action: z.string(),
    resources: z.array(z.string()),
    save: z.array(z.string()).optional(),
    metadata: fields,
    source: call.extend({ type: z.literal("tool") }),
  }),
)
export const questionRequest = named(
  "QuestionRequest",
  z.object({ id: z.string(), sessionID, questions: z.array(choice), tool: call }),
)

const source = z.object({ start: z.number(), end: z.number(), text: z.string() })
export const promptFile = z.object({
  uri: z.string(),
  mime: z.string(),
  name: z.string().optional(),
  source: source.optional(),
})
export const newerPrompt = named(
  "NewerPrompt",
  z.object({
    text: z.string(),
    files: z.array(promptFile).optional(),
    agents: z.array(z.object({ name: z.string(), source: source.optional() })).optional(),
  }),
)
export const admittedPrompt = named(
  "AdmittedPrompt",
  z.object({
    /** The time of its creation in epoch milliseconds. */
    admittedSeq: z.number(),
    id: messageID,
    sessionID,
    prompt: newerPrompt,
    delivery: z.enum(["steer", "queue"]),
    timeCreated: z.number(),
  }),
)

const ofNewerMessage = { id: messageID, time: z.object({ created: z.number(), completed: z.number().optional() }) }
const newerTool = z.object({
  type: z.literal("tool"),
  /** The id of the call. */
  id: z.string(),
  name: z.string(),
  state: z.looseObject({ status: z.enum(["pending", "running", "completed", "error"]) }),
  time: z.object({
    created: z.number(),
    ran: z.number().optional(),
    completed: z.number().optional(),
    pruned: z.number().optional(),
  }),
})
export const newerMessage = named(
  "NewerMessage",
  z.discriminatedUnion("type", [
    newerPrompt.extend({ ...ofNewerMessage, type: z.literal("user") }),
    z.object({ ...ofNewerMessage, type: z.literal("synthetic"), sessionID, text: z.string() }),
    z.object({
      ...ofNewerMessage,
      type: z.literal("compaction"),
      reason: z.enum(["auto", "manual"]),
      summary: z.string(),
      recent: z.string(),
    }),
    z.object({
      ...ofNewerMessage,
      type: z.literal("assistant"),
      agent: z.string(),
      model: z.object({ id: z.string(), providerID: z.string(), variant: z.string().optional() }),
      content: z.array(
        z.discriminatedUnion("type", [
          z.object({ type: z.literal("text"), id: partID, text: z.string() }),
          z.object({ type: z.literal("reasoning"), id: partID, text: z.string(), time: ofNewerMessage.time }),
          newerTool,
        ]),
      ),
      finish: z.string().optional(),
      cost: z.number(),
      tokens,
      error: z.object({ type: z.literal("unknown"), message: z.string() }).optional(),
    }),
  ]),
)
export const newerRevert = z.object({ messageID, partID: partID.optional() })

export const config = named("Config", z.record(z.string(), z.unknown()))
export const model = named(
  "Model",
  z.looseObject({
    id: z.string(),
    providerID: z.string(),
    name: z.string(),
    status: z.string(),
    capabilities: z.looseObject({
      temperature: z.boolean(),
      reasoning: z.boolean(),
      attachment: z.boolean(),
      toolcall: z.boolean(),
    }),
    cost: z.looseObject({ input: z.number(), output: z.number() }),
    limit: z.looseObject({ context: z.number(), output: z.number() }),
    variants: fields,
  }),
)
export const provider = named(
  "Provider",
  z.looseObject({
    id: z.string(),
    name: z.string(),
    source: z.string(),
    env: z.array(z.string()),
    options: fields,
    models: z.record(z.string(), model),
  }),
)
const when = z.object({ key: z.string(), op: z.enum(["eq", "neq"]), value: z.string() }).optional()
const option = z.object({ label: z.string(), value: z.string(), hint: z.string().optional() })
const question = z.object({ key: z.string(), message: z.string(), when })
export const signInMethod = named(
  "ProviderAuthMethod",
  z.object({
    type: z.enum(["oauth", "api"]),
    label: z.string(),
    prompts: z
      .array(
        z.discriminatedUnion("type", [
          question.extend({ type: z.literal("text"), placeholder: z.string().optional() }),
          question.extend({ type: z.literal("select"), options: z.array(option) }),
        ]),
      )
      .optional(),
  }),
)
export const signIn = named(
  "ProviderAuthAuthorization",
  z.object({ url: z.string(), method: z.enum(["auto", "code"]), instructions: z.string() }),
)
export const agent = named(
  "Agent",
  z.looseObject({
    name: z.string(),
    description: z.string().optional(),
    mode: z.enum(["primary", "subagent", "all"]),
    native: z.boolean(),
    hidden: z.boolean().optional(),
    permission: z.array(rule),
    model: modelRef.optional(),
    prompt: z.string().optional(),
  }),
)
export const command = named(
  "Command",
  z.object({
    name: z.string(),
    description: z.string().optional(),
    source: z.enum(["command", "mcp", "skill"]),
    template: z.string(),
    hints: z.array(z.string()),
    agent: z.string().optional(),
    model: z.string().optional(),
    subtask: z.boolean().optional(),
  }),
)
export const tool = named("Tool", z.object({ id: z.string(), description: z.string(), parameters: fields }))
export const serverStatus = named(
  "McpStatus",
  z.discriminatedUnion("status", [
    z.object({ status: z.enum(["connected", "disabled", "needs_auth"]) }),
    z.object({ status: z.enum(["failed", "needs_client_registration"]), error: z.string() }),
  ]),
)
export const skill = named(
  "Skill",
  z.object({ name: z.string(), description: z.string().optional(), location: z.string(), content: z.string() }),
)
export const resource = named(
  "McpResource",
  z.object({
    name: z.string(),
    uri: z.string(),
    description: z.string().optional(),
    mimeType: z.string().optional(),
    client: z.string(),
  }),
)
export const formatter = named(
  "Formatter",
  z.object({ name: z.string(), extensions: z.array(z.string()), enabled: z.boolean() }),
)

export const project = named(
  "Project",
  z.object({
    id: z.string(),
    worktree: z.string(),
    vcs: z.literal("git").optional(),
    sandboxes: z.array(z.string()),
    time: z.object({ created: z.number(), updated: z.number(), initialized: z.number().optional() }),
  }),
)
export const fileNode = named(
  "FileNode",
  z.object({
    name: z.string(),
    path: z.string(),
    absolute: z.string(),
    type: z.enum(["file", "directory"]),
    ignored: z.boolean(),
  }),
)
export const fileContent = named(
  "FileContent",
  z.object({
    type: z.enum(["text", "binary"]),
    content: z.string(),
    encoding: z.literal("base64").optional(),
    mimeType: z.string().optional(),
  }),
)
export const changedFile = named(
  "ChangedFile",
  z.object({
    path: z.string(),
    added: z.number(),
    removed: z.number(),
    status: z.enum(["added", "deleted", "modified"]),
  }),
)
export const changedFileDiff = named(
  "ChangedFileDiff",
  z.object({
    file: z.string(),
    patch: z.string().optional(),
    additions: z.number(),
    deletions: z.number(),
    status: z.enum(["added", "deleted", "modified"]),
  }),
)
export const textMatch = named(
  "TextMatch",
  z.looseObject({
    path: z.object({ text: z.string() }),
    lines: z.looseObject({ text: z.string().optional() }),
    line_number: z.number(),
    absolute_offset: z.number(),
    submatches: z.array(z.looseObject({ start: z.number(), end: z.number() })),
  }),
)
export const location = named(
  "Location",
  z.object({ directory: z.string(), project: z.object({ id: z.string(), directory: z.string() }) }),
)

export const pty = named(
  "Pty",
  z.object({
    id: z.string(),
    title: z.string(),
    command: z.string(),
    args: z.array(z.string()),
    cwd: z.string(),
    status: z.enum(["running", "exited"]),
    pid: z.number(),
    exitCode: z.number().optional(),
  }),
)
export const connectToken = named("PtyConnectToken", z.object({ ticket: z.string(), expires_in: z.number() }))

export const worktree = named(
  "Worktree",
  z.object({ name: z.string(), branch: z.string().optional(), directory: z.string() }),
)

const event = <T extends string>(type: T, properties: z.ZodType) =>
  z.object({ id: z.string(), type: z.literal(type), properties })
const ofSession = { sessionID }
const ofMessage = { sessionID, messageID }
const ofPart = { sessionID, messageID, partID }
const ofRequest = { sessionID, requestID: z.string() }
const nothing = z.object({})

/** The events of a stream, by type. */
export const events = named(
  "Event",
  z.discriminatedUnion("type", [
    event("server.connected", nothing),
    event("server.heartbeat", nothing),
    event("server.resync", nothing),
    event("session.created", z.object({ sessionID, info: session })),
    event("session.updated", z.object({ sessionID, info: session })),
    event("session.deleted", z.object({ sessionID, info: session })),
    event("session.status", z.object({ sessionID, status })),
    event("session.idle", z.object(ofSession)),
    event("session.compacted", z.object(ofSession)),
    event("session.diff", z.object({ sessionID, diff: z.array(diff) })),
    event("session.error", z.object({ sessionID: sessionID.optional(), error: ownError })),
    event("message.updated", z.object({ sessionID, info: message })),
    event("message.removed", z.object(ofMessage)),
    event("message.part.updated", z.object({ sessionID, part, time: z.number() })),
    event("message.part.delta", z.object({ ...ofPart, field: z.string(), delta: z.string() })),
    event("message.part.removed", z.object(ofPart)),
    event("permission.asked", permissionRequest),
    event("permission.replied", z.object({ ...ofRequest, reply: z.enum(["once", "always", "reject"]) })),
    event("question.asked", questionRequest),
    event("question.replied", z.object({ ...ofRequest, answers: z.array(z.array(z.string())) })),
    event("question.rejected", z.object(ofRequest)),
    event("todo.updated", z.object({ sessionID, todos: z.array(todo) })),
    event("command.executed", z.object({ ...ofMessage, name: z.string(), arguments: z.string() })),
    event("file.edited", z.object({ file: z.string() })),
    event("file.watcher.updated", z.object({ file: z.string(), event: z.enum(["add", "change", "unlink"]) })),
    event("pty.created", z.object({ info: pty })),
    event("pty.updated", z.object({ info: pty })),
    event("pty.exited", z.object({ id: z.string(), exitCode: z.number() })),
    event("pty.deleted", z.object({ id: z.string() })),
    event("worktree.ready", z.object({ name: z.string(), branch: z.string().optional() })),
    event("tui.prompt.append", z.object({ text: z.string() })),
    event("tui.command.execute", z.object({ command: z.string() })),
    event("tui.toast.show", z.looseObject({ message: z.string(), variant: z.string() })),
    event("tui.session.select", z.object({ sessionID: z.string() })),
  ]),
)
export const globalEvent = named("GlobalEvent", z.object({ directory: z.string().optional(), payload: events }))
