import { z } from "zod"
import type { MessageID, PartID, SessionID } from "../ids.ts"

// Stored shapes and their schemas. Only types are imported from here on the way to the first request: loading zod
// costs more than the rest of core, so the schemas are loaded by those who validate foreign input.

const id = <T extends string>(prefix: string) => z.templateLiteral([prefix, z.string()]) as unknown as z.ZodType<T, T>
export const sessionID = id<SessionID>("ses_")
export const messageID = id<MessageID>("msg_")
export const partID = id<PartID>("prt_")

const milliseconds = z.number()
const json = z.record(z.string(), z.unknown())
const owner = { id: partID, sessionID, messageID }

export const modelRef = z.object({ providerID: z.string(), modelID: z.string() })

export const tokens = z.object({
  input: z.number(),
  output: z.number(),
  reasoning: z.number(),
  cache: z.object({ read: z.number(), write: z.number() }),
})

export const storedError = z.object({ name: z.string(), data: z.looseObject({ message: z.string() }) })

export const permissionRule = z.object({
  permission: z.string(),
  pattern: z.string(),
  action: z.enum(["allow", "ask", "deny"]),
})

export const fileDiff = z.object({
  file: z.string(),
  additions: z.number(),
  deletions: z.number(),
  patch: z.string().optional(),
  status: z.enum(["added", "deleted", "modified"]).optional(),
})

export const session = z.object({
  id: sessionID,
  projectID: z.string(),
  directory: z.string(),
  parentID: sessionID.optional(),
  title: z.string(),
  version: z.string(),
  agent: z.string().optional(),
  model: modelRef.optional(),
  /** The message where the context starts; absent before the first compaction. */
  boundary: messageID.optional(),
  summary: z
    .object({
      additions: z.number(),
      deletions: z.number(),
      files: z.number(),
      diffs: z.array(fileDiff).optional(),
    })
    .optional(),
  share: z.object({ url: z.string(), secret: z.string().optional() }).optional(),
  permission: z.array(permissionRule).optional(),
  revert: z
    .object({
      messageID,
      partID: partID.optional(),
      snapshot: z.string().optional(),
      diff: z.string().optional(),
    })
    .optional(),
  /** Notes that stay in the context whatever is compacted, oldest first. */
  pins: z.array(z.object({ id: z.string(), text: z.string(), time: z.object({ created: milliseconds }) })).optional(),
  /** What a person allowed for good: in this session and all below it, for this agent, and exactly this pattern. */
  approvals: z
    .array(
      z.object({
        agent: z.string(),
        permission: z.string(),
        pattern: z.string(),
        /** Absolute: it holds for what works there. Absent: the pattern says all. */
        directory: z.string().optional(),
        time: z.object({ created: milliseconds }),
      }),
    )
    .optional(),
  /** The agent of the session above, and its call, that this session works for. */
  delegation: z.object({ agent: z.string(), messageID, callID: z.string() }).optional(),
  metadata: json.optional(),
  time: z.object({
    created: milliseconds,
    updated: milliseconds,
    compacting: milliseconds.optional(),
    archived: milliseconds.optional(),
  }),
})

export const userMessage = z.object({
  id: messageID,
  sessionID,
  role: z.literal("user"),
  time: z.object({ created: milliseconds }),
  agent: z.string(),
  model: modelRef,
  variant: z.string().optional(),
  system: z.string().optional(),
  tools: z.record(z.string(), z.boolean()).optional(),
  /** How it comes to a session that is at work; absent: it was stored when nothing else was under way. */
  delivery: z
    .object({
      /** At the next step, after the turn, or at once in place of what is under way. */
      mode: z.enum(["steer", "queue", "interrupt"]),
      /** What waits is no part of the context. */
      state: z.enum(["waiting", "delivered"]),
      /** Nobody chose its agent: it goes to the one that the session has when it is delivered. */
      agent: z.literal("session").optional(),
    })
    .optional(),
  /** What the sender calls it: a second prompt of the same name is the same prompt. */
  clientID: z.string().optional(),
  summary: z.object({ title: z.string().optional(), body: z.string().optional(), diffs: z.array(fileDiff) }).optional(),
})

export const assistantMessage = z.object({
  id: messageID,
  sessionID,
  role: z.literal("assistant"),
  /** The user message it answers. */
  parentID: messageID,
  providerID: z.string(),
  modelID: z.string(),
  agent: z.string(),
  mode: z.string(),
  path: z.object({ cwd: z.string(), root: z.string() }),
  cost: z.number(),
  tokens,
  /** stop, length, content-filter, tool-calls, error, unknown; absent while the step runs. */
  finish: z.string().optional(),
  error: storedError.optional(),
  summary: z.boolean().optional(),
  time: z.object({ created: milliseconds, completed: milliseconds.optional() }),
})

export const message = z.discriminatedUnion("role", [userMessage, assistantMessage])

const span = z.object({ start: milliseconds, end: milliseconds.optional() })
const sourceText = z.object({ value: z.string(), start: z.number(), end: z.number() })
const position = z.object({ line: z.number(), character: z.number() })

export const textPart = z.object({
  ...owner,
  type: z.literal("text"),
  text: z.string(),
  /** Written by the engine, not by the user or the model. */
  synthetic: z.boolean().optional(),
  /** Shown to people, kept from the model. */
  ignored: z.boolean().optional(),
  time: span.optional(),
  metadata: json.optional(),
})

export const reasoningPart = z.object({
  ...owner,
  type: z.literal("reasoning"),
  text: z.string(),
  /** What the provider wants back with the text, such as a signature. */
  metadata: json.optional(),
  time: span,
})

export const filePart = z.object({
  ...owner,
  type: z.literal("file"),
  mime: z.string(),
  filename: z.string().optional(),
  url: z.string(),
  source: z
    .discriminatedUnion("type", [
      z.object({ type: z.literal("file"), path: z.string(), text: sourceText }),
      z.object({
        type: z.literal("symbol"),
        path: z.string(),
        text: sourceText,
        range: z.object({ start: position, end: position }),
        name: z.string(),
        kind: z.number(),
      }),
      z.object({ type: z.literal("resource"), clientName: z.string(), uri: z.string(), text: sourceText }),
    ])
    .optional(),
  /** Set where a provider would not or did not take it: the model reads the reason in its place. */
  rejected: z.object({ reason: z.string(), time: milliseconds }).optional(),
})

export const toolState = z.discriminatedUnion("status", [
  z.object({ status: z.literal("pending"), input: json, raw: z.string() }),
  z.object({
    status: z.literal("running"),
    input: json,
    title: z.string().optional(),
    metadata: json.optional(),
    time: z.object({ start: milliseconds }),
  }),
  z.object({
    status: z.literal("completed"),
    input: json,
    output: z.string(),
    title: z.string(),
    metadata: json,
    attachments: z.array(filePart).optional(),
    /** `compacted`: when the output was cleared from the context; it stays stored. */
    time: z.object({ start: milliseconds, end: milliseconds, compacted: milliseconds.optional() }),
  }),
  z.object({
    status: z.literal("error"),
    input: json,
    error: z.string(),
    metadata: json.optional(),
    time: z.object({ start: milliseconds, end: milliseconds }),
  }),
])

/** A file as it was at one moment. */
export const fileImage = z.object({
  /** `sha256:` and the hash of its bytes in hex. */
  hash: z.string(),
  /** Bytes. */
  size: z.number(),
  /** The blob that holds them; absent where they are too many to be kept. */
  blob: z.string().optional(),
  /** Permission bits. */
  mode: z.number().optional(),
})

export const fileChange = z.object({
  /** Absolute, links resolved. */
  path: z.string(),
  /** Null where there was no file. */
  before: fileImage.nullable(),
  /** Null where there is none any more; absent where the call ended before it was known. */
  after: fileImage.nullable().optional(),
})

export const toolPart = z.object({
  ...owner,
  type: z.literal("tool"),
  callID: z.string(),
  tool: z.string(),
  state: toolState,
  /** Files that the call changed, each once, in the order of their first change. */
  changes: z.array(fileChange).optional(),
  metadata: json.optional(),
})

export const stepStartPart = z.object({ ...owner, type: z.literal("step-start"), snapshot: z.string().optional() })

export const stepFinishPart = z.object({
  ...owner,
  type: z.literal("step-finish"),
  reason: z.string(),
  snapshot: z.string().optional(),
  cost: z.number(),
  tokens,
  /** The request as it was measured before it left, and what the measure has learned of the model since. */
  measured: z
    .object({
      /** Of text, in UTF-8. */
      bytes: z.number(),
      /** Input tokens that were expected. */
      estimate: z.number(),
      bytesPerToken: z.number(),
      /** Moving mean of |estimate / observed - 1|. */
      error: z.number(),
      /** Observations so far. */
      samples: z.number(),
    })
    .optional(),
  /** Hashes of the request: of each system block and the tools, and of all messages. */
  prefix: z
    .object({
      head: z.array(z.string()),
      messages: z.number(),
      hash: z.string(),
      /** Steps in a row that each began with the request of the one before. */
      steps: z.number(),
      /** Why the provider could not reuse what it had read; absent where it could. */
      bust: z.object({ reason: z.string(), firstChangedBlock: z.string(), owner: z.string() }).optional(),
    })
    .optional(),
})

export const snapshotPart = z.object({ ...owner, type: z.literal("snapshot"), snapshot: z.string() })

export const patchPart = z.object({
  ...owner,
  type: z.literal("patch"),
  hash: z.string(),
  files: z.array(z.string()),
})

export const agentPart = z.object({
  ...owner,
  type: z.literal("agent"),
  name: z.string(),
  source: sourceText.optional(),
})

export const subtaskPart = z.object({
  ...owner,
  type: z.literal("subtask"),
  prompt: z.string(),
  description: z.string(),
  agent: z.string(),
  model: modelRef.optional(),
  command: z.string().optional(),
})

export const retryPart = z.object({
  ...owner,
  type: z.literal("retry"),
  attempt: z.number(),
  error: storedError,
  time: z.object({ created: milliseconds }),
})

export const compactionPart = z.object({
  ...owner,
  type: z.literal("compaction"),
  auto: z.boolean(),
  /** The provider had refused the request, or the model's window was full. */
  overflow: z.boolean().optional(),
  /** What the summary is to dwell on, in the user's words. */
  focus: z.string().optional(),
  /** The newest message that the summary stands for, or that stood in the context when it was made: later ones stay. */
  through: messageID.optional(),
  /** The first message that stays word for word; absent where none does. */
  tail_start_id: messageID.optional(),
  /** Ids of earlier messages, or of single parts of them, that stay word for word as well. */
  keep: z.array(z.string()).optional(),
  /** Made while the agent worked on, and not in effect yet. */
  prepared: z.boolean().optional(),
  /** Model calls that compactions have made since the agent's last good answer, those of this one included. */
  calls: z.number().optional(),
})

export const choice = z.object({
  question: z.string(),
  /** At most 30 characters. */
  header: z.string(),
  options: z.array(z.object({ label: z.string(), description: z.string() })),
  multiple: z.boolean().optional(),
  /** Whether an answer in the user's own words is taken too; true unless told. */
  custom: z.boolean().optional(),
})

export const answer = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("permission"),
    reply: z.enum(["once", "always", "reject"]),
    /** What the model is to do instead. */
    message: z.string().optional(),
  }),
  /** For each question what was chosen. */
  z.object({ type: z.literal("choice"), answers: z.array(z.array(z.string())) }),
  /** Nobody answered, or nobody needs it any more. */
  z.object({ type: z.literal("dismissed"), reason: z.string() }),
])

/** What a call asks people. It stays open over a restart; the call goes on once it is answered. */
export const questionPart = z.object({
  ...owner,
  type: z.literal("question"),
  callID: z.string(),
  about: z.discriminatedUnion("type", [
    z.object({
      type: z.literal("permission"),
      permission: z.string(),
      patterns: z.array(z.string()),
      /** What an answer of `always` allows; empty: it cannot be given. */
      always: z.array(z.string()),
      /** Where it would be done, and an answer of `always` holds; absent: the patterns say all. */
      directory: z.string().optional(),
      metadata: json,
    }),
    z.object({ type: z.literal("choice"), questions: z.array(choice) }),
  ]),
  /** The one that counts; absent while it is open. */
  answer: answer.optional(),
  /** The part that the answer came in; absent where it was given to this process. */
  answerID: partID.optional(),
  time: z.object({ created: milliseconds, closed: milliseconds.optional() }),
})

/** An answer of another process. The owner of the session's lease takes the first that it reads. */
export const answerPart = z.object({
  ...owner,
  type: z.literal("answer"),
  questionID: partID,
  answer,
  time: z.object({ created: milliseconds }),
})

export const part = z.discriminatedUnion("type", [
  textPart,
  reasoningPart,
  filePart,
  toolPart,
  stepStartPart,
  stepFinishPart,
  snapshotPart,
  patchPart,
  agentPart,
  subtaskPart,
  retryPart,
  compactionPart,
  questionPart,
  answerPart,
])

export type ModelRef = z.infer<typeof modelRef>
export type Tokens = z.infer<typeof tokens>
export type PermissionRule = z.infer<typeof permissionRule>
export type Session = z.infer<typeof session>
export type UserMessage = z.infer<typeof userMessage>
export type AssistantMessage = z.infer<typeof assistantMessage>
export type Message = z.infer<typeof message>
export type TextPart = z.infer<typeof textPart>
export type ReasoningPart = z.infer<typeof reasoningPart>
export type FilePart = z.infer<typeof filePart>
export type ToolState = z.infer<typeof toolState>
export type ToolPart = z.infer<typeof toolPart>
export type Part = z.infer<typeof part>
export type StepFinishPart = z.infer<typeof stepFinishPart>
export type CompactionPart = z.infer<typeof compactionPart>
export type FileChange = z.infer<typeof fileChange>
export type FileImage = z.infer<typeof fileImage>
export type Choice = z.infer<typeof choice>
export type Answer = z.infer<typeof answer>
export type QuestionPart = z.infer<typeof questionPart>
export type AnswerPart = z.infer<typeof answerPart>
export type AgentPart = z.infer<typeof agentPart>
export type SubtaskPart = z.infer<typeof subtaskPart>
export type PartType = Part["type"]

/** One message with its parts, oldest part first. Treated as a value: a change makes a new one. */
export interface MessageWithParts<M extends Message = Message> {
  readonly info: M
  readonly parts: readonly Part[]
}
