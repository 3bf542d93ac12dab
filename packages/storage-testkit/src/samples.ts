import type {
  AssistantMessage,
  FilePart,
  MessageID,
  Part,
  PartID,
  PartType,
  Session,
  SessionID,
  TextPart,
  ToolState,
  UserMessage,
} from "@pawl/core/record"

// Numbered ids sort like the engine's ids. Session 1 is the newest.

export function sessionID(number: number): SessionID {
  return `ses_${digits(number)}`
}

export function messageID(number: number): MessageID {
  return `msg_${digits(number)}`
}

export function partID(number: number): PartID {
  return `prt_${digits(number)}`
}

export function sampleSession(id: SessionID, fields: Partial<Session> = {}): Session {
  return {
    id,
    projectID: "project",
    directory: "/srv/project",
    title: "New session",
    version: "1.0.0",
    time: { created: 1_760_000_000_000, updated: 1_760_000_000_500 },
    ...fields,
  }
}

const FILE = { hash: "sha256:07c1", size: 2, blob: "07c1", mode: 0o644 } as const
const DROPPED = { hash: "sha256:9a3f", size: 3, mode: 0o755, isDropped: true } as const
const LINK = { hash: "sha256:11ab", size: 4, blob: "11ab", isLink: true } as const

/** Returns a session with every optional field. */
export function sampleFullSession(id: SessionID): Session {
  return sampleSession(id, {
    parentID: sessionID(2),
    agent: "build",
    model: { providerID: "acme", modelID: "large" },
    variant: "high",
    boundary: messageID(1),
    summary: {
      additions: 1,
      deletions: 0,
      files: 1,
      diffs: [{ file: "a.ts", additions: 1, deletions: 0, patch: "+a\n", status: "added" }],
    },
    share: { url: "https://example.com/s/1", secret: "s" },
    permission: [{ permission: "bash", pattern: "git *", action: "allow" }],
    revert: { messageID: messageID(1), partID: partID(1), snapshot: "4b825dc6", diff: "--- a\n+++ b\n" },
    undo: [
      {
        id: "undo_1",
        messageID: messageID(1),
        partID: partID(1),
        chat: true,
        files: [
          { path: "/srv/project/a.ts", had: FILE, left: null, outcome: "restored", madeDirectory: "/srv/project" },
          {
            path: "/srv/project/b.ts",
            had: FILE,
            left: LINK,
            outcome: "conflict",
            wanted: LINK,
            reason: "It was changed.",
          },
          { path: "/srv/project/c.ts", had: LINK, left: FILE, outcome: "conflict", wanted: FILE },
          { path: "/srv/project/d.ts", had: DROPPED, left: DROPPED, outcome: "conflict", wanted: DROPPED },
        ],
        redo: [
          {
            path: "/srv/project/a.ts",
            had: FILE,
            left: LINK,
            outcome: "conflict",
            wanted: LINK,
            reason: "It was changed.",
          },
          { path: "/srv/project/b.ts", had: LINK, left: FILE, outcome: "merged", wanted: FILE, madeDirectory: "/srv" },
          { path: "/srv/project/d.ts", had: DROPPED, left: DROPPED, outcome: "conflict", wanted: DROPPED },
        ],
        status: "applying",
        time: { created: 7 },
      },
    ],
    undoNotice: "The user has undone a change.",
    pins: [{ id: "pin_1", text: "Keep the public API.", time: { created: 5 } }],
    approvals: [
      { agent: "build", permission: "bash", pattern: "npm test", directory: "/srv/project", time: { created: 6 } },
      { agent: "build", permission: "bash", pattern: "git log *", glob: true, time: { created: 7 } },
    ],
    delegation: { agent: "build", messageID: messageID(1), callID: "call_1" },
    metadata: { nested: { list: [1, [2, { three: 3 }]], nothing: null } },
    time: { created: 1, updated: 2, compacting: 3, archived: 4 },
  })
}

export function sampleUserMessage(sessionID: SessionID, id: MessageID, fields: Partial<UserMessage> = {}): UserMessage {
  return {
    id,
    sessionID,
    role: "user",
    time: { created: 1_760_000_001_000 },
    agent: "build",
    model: { providerID: "acme", modelID: "large" },
    ...fields,
  }
}

export function sampleAssistantMessage(
  sessionID: SessionID,
  id: MessageID,
  fields: Partial<AssistantMessage> = {},
): AssistantMessage {
  return {
    id,
    sessionID,
    role: "assistant",
    parentID: messageID(1),
    providerID: "acme",
    modelID: "large",
    agent: "build",
    mode: "build",
    path: { cwd: "/srv/project", root: "/srv/project" },
    cost: 0.0125,
    tokens: { input: 1200, output: 80, reasoning: 0, cache: { read: 1000, write: 200 } },
    finish: "stop",
    time: { created: 1_760_000_002_000, completed: 1_760_000_003_000 },
    ...fields,
  }
}

export function sampleText(
  sessionID: SessionID,
  messageID: MessageID,
  id: PartID,
  fields: Partial<TextPart> = {},
): TextPart {
  return { id, sessionID, messageID, type: "text", text: "Hello", ...fields }
}

/** Returns each of the four states of a tool call. The completed one has the attachments. */
export function sampleToolStates(attachments: FilePart[] = []): ToolState[] {
  const input = { filePath: "src/main.ts", limit: 20, nested: { list: [1, null, "two"], empty: {} } }
  return [
    { status: "pending", input: {}, raw: '{"filePath": "src/ma' },
    { status: "running", input, title: "Read src/main.ts", metadata: { pid: 7 }, time: { start: 10 } },
    {
      status: "completed",
      input,
      output: "1\tconsole.log('hi')\n",
      title: "Read src/main.ts",
      metadata: { truncated: false },
      ...(attachments.length > 0 && { attachments }),
      time: { start: 10, end: 12, compacted: 99 },
    },
    {
      status: "error",
      input,
      error: "ENOENT: no such file",
      metadata: { code: "ENOENT" },
      time: { start: 10, end: 11 },
    },
  ]
}

/** Returns a part of every type, with every optional field at least once, numbered in order. */
export function sampleParts(sessionID: SessionID, messageID: MessageID): Part[] {
  const owner = (number: number) => ({ id: partID(number), sessionID, messageID })
  const text = { value: "@src/main.ts", start: 4, end: 16 }
  const tokens = { input: 1, output: 2, reasoning: 3, cache: { read: 4, write: 5 } }
  const measured = {
    ...{ bytes: 4200, estimate: 1100, bytesPerToken: 3.5, error: 0.08, samples: 6 },
    ...{ report: "too-many", reported: 90_000, basis: { bytes: 4000, tokens: 1050 }, ignored: 1 },
  }
  const head = {
    ...{ model: "acme/large", agent: "build", prompt: "You are pawl.", environment: "<env>\n</env>" },
    instructions: [{ path: "/srv/app/AGENTS.md", text: "Use tabs." }],
  }
  const prefix = {
    head: ["9a3f", "07c1"],
    messages: 12,
    hash: "e5d2",
    steps: 3,
    bust: { reason: "system", firstChangedBlock: "system[1]", owner: "plugin clock" },
  }
  const range = { start: { line: 1, character: 0 }, end: { line: 3, character: 1 } }
  const fromFile = { type: "file" as const, path: "a.ts", text }
  const fromSymbol = { type: "symbol" as const, path: "a.ts", text, range, name: "run", kind: 12 }
  const fromResource = { type: "resource" as const, clientName: "docs", uri: "docs://a", text }
  const rejected = { reason: "The model takes no images.", time: 3 }
  const file = (number: number, source: NonNullable<FilePart["source"]>): FilePart => {
    return { ...owner(number), type: "file", mime: "image/png", filename: "a.png", url: "data:,AA", source, rejected }
  }
  const tool = (number: number, state: ToolState): Part => {
    return {
      ...owner(number),
      type: "tool",
      shownBytes: 2,
      callID: `call_${number}`,
      tool: "read",
      state,
      changes: [
        { path: "/srv/project/a.ts", before: null, after: { hash: "sha256:07c1", size: 2, blob: "07c1", mode: 0o644 } },
        { path: "/srv/project/b.ts", before: { hash: "sha256:9a3f", size: 3, blob: "9a3f", mode: 0o755 } },
        { path: "/srv/project/made/link", before: LINK, after: LINK, madeDirectory: "/srv/project/made" },
        { path: "/srv/project/d.ts", before: DROPPED, after: DROPPED },
      ],
      uncovered: [{ path: "/srv/project/large.bin", reason: "size" }],
      metadata: { by: "model" },
    }
  }
  const choice = {
    question: "Which database?",
    header: "Database",
    options: [{ label: "SQLite", description: "One file" }],
    multiple: false,
    custom: true,
  }
  const request = { permission: "bash", patterns: ["rm a"], always: ["rm a"], directory: "/srv/project", metadata: {} }
  const states = sampleToolStates([file(90, fromFile), file(91, fromSymbol), file(92, fromResource)])
  return [
    {
      ...owner(1),
      type: "text",
      text: "Hi",
      synthetic: true,
      ignored: false,
      time: { start: 1, end: 2 },
      metadata: { a: null },
      shownBytes: 2,
    },
    {
      ...owner(2),
      type: "reasoning",
      text: "Hm.",
      metadata: { signature: "c2ln" },
      shownBytes: 2,
      time: { start: 1, end: 2 },
    },
    file(3, fromSymbol),
    { ...owner(4), type: "step-start", snapshot: "4b825dc6", head },
    {
      ...owner(5),
      type: "step-finish",
      reason: "tool-calls",
      snapshot: "4b825dc6",
      cost: 0.5,
      tokens,
      took: 1234,
      measured,
      prefix,
    },
    { ...owner(6), type: "snapshot", snapshot: "4b825dc6" },
    {
      ...owner(7),
      type: "patch",
      hash: "4b825dc6",
      files: ["src/main.ts", "a b.ts"],
      callID: "call_1",
      changes: [
        { path: "/srv/project/a b.ts", before: FILE, after: LINK, madeDirectory: "/srv/project/made" },
        { path: "/srv/project/src/main.ts", before: LINK, after: FILE },
      ],
      uncovered: [{ path: "/srv/project/large.bin", reason: "size" }],
    },
    { ...owner(8), type: "agent", name: "explore", source: text },
    {
      ...owner(9),
      type: "subtask",
      prompt: "Find the loop.",
      description: "find",
      agent: "explore",
      model: { providerID: "acme", modelID: "small" },
      command: "/find",
    },
    {
      ...owner(10),
      type: "retry",
      attempt: 2,
      error: { name: "APIError", data: { message: "Overloaded", statusCode: 529 } },
      kind: "transient",
      next: 1005,
      elapsed: 5,
      fallback: { for: { providerID: "local", modelID: "a" }, to: { providerID: "local", modelID: "b" } },
      cost: 0.25,
      tokens,
      time: { created: 5 },
    },
    {
      ...owner(11),
      type: "compaction",
      auto: true,
      overflow: true,
      focus: "The failing test.",
      tail_start_id: messageID,
      through: messageID,
      keep: [messageID, partID(3)],
      prepared: false,
      calls: 2,
      usable: 31_000,
      answers: 3,
      answered: messageID,
    },
    file(12, fromFile),
    file(13, fromResource),
    ...states.map((state, index) => tool(14 + index, state)),
    {
      ...owner(18),
      type: "question",
      callID: "call_14",
      about: { type: "permission", ...request },
      answer: { type: "permission", reply: "reject", message: "Not now.", patterns: ["git push *"] },
      answerID: partID(20),
      time: { created: 1, closed: 2 },
    },
    {
      ...owner(19),
      type: "question",
      callID: "call_15",
      about: { type: "choice", questions: [choice] },
      answer: { type: "choice", answers: [["SQLite"]] },
      time: { created: 1 },
    },
    {
      ...owner(20),
      type: "answer",
      questionID: partID(18),
      answer: { type: "dismissed", reason: "There was no answer." },
      time: { created: 2 },
    },
    {
      ...owner(21),
      type: "usage",
      purpose: "tool",
      callID: "call_14",
      agent: "build",
      providerID: "acme",
      modelID: "small",
      requests: 2,
      cost: 0.125,
      tokens,
      estimated: { tokens: 3, cost: 0.0625 },
      time: { created: 6 },
    },
  ]
}

/** Returns the first sample part of the type. */
export function samplePart(type: PartType, sessionID: SessionID, messageID: MessageID): Part {
  const part = sampleParts(sessionID, messageID).find((sample) => sample.type === type)
  if (!part) throw new Error(`There is no sample part of type "${type}".`)
  return part
}

function digits(number: number): string {
  return String(number).padStart(6, "0")
}
