import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"

// OpenCode's record as its version 1.18 keeps it: the shape that the import assumes.

export interface OpenCodeSession {
  info: Record<string, unknown> & { id: string }
  messages: { info: Record<string, unknown> & { id: string }; parts: (Record<string, unknown> & { id: string })[] }[]
}

const SCHEMA = `
CREATE TABLE IF NOT EXISTS project (id TEXT PRIMARY KEY, worktree TEXT, vcs TEXT, time_created INTEGER, time_updated INTEGER, sandboxes TEXT);
CREATE TABLE IF NOT EXISTS session (id TEXT PRIMARY KEY, project_id TEXT NOT NULL, workspace_id TEXT, parent_id TEXT, slug TEXT, directory TEXT, path TEXT,
  title TEXT, version TEXT, share_url TEXT, summary_additions INTEGER, summary_deletions INTEGER, summary_files INTEGER,
  summary_diffs TEXT, metadata TEXT, cost REAL DEFAULT 0, tokens_input INTEGER DEFAULT 0, tokens_output INTEGER DEFAULT 0,
  tokens_reasoning INTEGER DEFAULT 0, tokens_cache_read INTEGER DEFAULT 0, tokens_cache_write INTEGER DEFAULT 0, revert TEXT,
  permission TEXT, agent TEXT, model TEXT, time_created INTEGER, time_updated INTEGER, time_compacting INTEGER, time_archived INTEGER);
CREATE TABLE IF NOT EXISTS message (id TEXT PRIMARY KEY, session_id TEXT NOT NULL REFERENCES session(id) ON DELETE CASCADE, time_created INTEGER,
  time_updated INTEGER, data TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS message_session ON message (session_id, time_created, id);
CREATE TABLE IF NOT EXISTS part (id TEXT PRIMARY KEY, message_id TEXT NOT NULL REFERENCES message(id) ON DELETE CASCADE, session_id TEXT,
  time_created INTEGER, time_updated INTEGER, data TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS part_message ON part (message_id, id);
CREATE TABLE IF NOT EXISTS session_share (session_id TEXT PRIMARY KEY, id TEXT, secret TEXT, url TEXT);
CREATE TABLE IF NOT EXISTS todo (session_id TEXT, position INTEGER, content TEXT, status TEXT, priority TEXT, PRIMARY KEY (session_id, position));
CREATE TABLE IF NOT EXISTS migration (id TEXT PRIMARY KEY, time_completed INTEGER);
`

/** The database as OpenCode itself would hold it open. The caller closes it. */
export function openCodeDatabase(path: string): DatabaseSync {
  const db = new DatabaseSync(path)
  db.exec(`PRAGMA journal_mode = WAL; PRAGMA foreign_keys = ON; ${SCHEMA}`)
  return db
}

export function writeSession(db: DatabaseSync, { info, messages }: OpenCodeSession): void {
  const time = info["time"] as Record<string, number>
  const summary = info["summary"] as Record<string, unknown> | undefined
  const tokens = info["tokens"] as { input: number; output: number; reasoning: number } | undefined
  const json = (value: unknown) => (value === undefined ? null : JSON.stringify(value))
  const columns: Record<string, unknown> = {
    id: info.id,
    project_id: info["projectID"],
    parent_id: info["parentID"],
    slug: info["slug"],
    directory: info["directory"],
    title: info["title"],
    version: info["version"],
    share_url: (info["share"] as { url: string } | undefined)?.url,
    summary_additions: summary?.["additions"],
    summary_deletions: summary?.["deletions"],
    summary_files: summary?.["files"],
    summary_diffs: json(summary?.["diffs"]),
    metadata: json(info["metadata"]),
    cost: info["cost"] ?? 0,
    tokens_input: tokens?.input ?? 0,
    tokens_output: tokens?.output ?? 0,
    revert: json(info["revert"]),
    permission: json(info["permission"]),
    agent: info["agent"],
    model: json(info["model"]),
    time_created: time["created"],
    time_updated: time["updated"],
    time_archived: time["archived"],
  }
  put(db, "session", columns)
  for (const message of messages) {
    const { id, sessionID: _, ...rest } = message.info
    const created = (rest["time"] as { created: number }).created
    put(db, "message", {
      id,
      session_id: info.id,
      time_created: created,
      time_updated: created,
      data: JSON.stringify(rest),
    })
    for (const { id: partID, sessionID: _session, messageID: _message, ...part } of message.parts) {
      const row = { message_id: id, session_id: info.id, time_created: created, time_updated: created }
      put(db, "part", { id: partID, ...row, data: JSON.stringify(part) })
    }
  }
}

function put(db: DatabaseSync, table: string, columns: Record<string, unknown>): void {
  const names = Object.keys(columns)
  const sql = `INSERT OR REPLACE INTO ${table} (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")})`
  db.prepare(sql).run(...names.map((name) => (columns[name] ?? null) as string | number | null))
}

/** The older tree of JSON files. */
export async function writeTree(root: string, { info, messages }: OpenCodeSession): Promise<void> {
  const write = async (path: string[], value: unknown) => {
    await mkdir(join(root, ...path.slice(0, -1)), { recursive: true })
    await writeFile(`${join(root, ...path)}.json`, JSON.stringify(value, undefined, 2))
  }
  await write(["session", String(info["projectID"]), info.id], info)
  for (const message of messages) {
    await write(["message", info.id, message.info.id], message.info)
    for (const part of message.parts) await write(["part", message.info.id, part.id], part)
  }
}

const model = { providerID: "acme", modelID: "large" }
const START = 1_750_000_000_000

/**
 * A session with every type of part and every state of a tool. `ses_`, `msg_` and `prt_` ids as OpenCode makes them,
 * less their random end.
 */
export function openCodeSession(name = "a", fields: Record<string, unknown> = {}): OpenCodeSession {
  const sessionID = `ses_8a${name}`
  let count = 0
  const id = (prefix: string) => `${prefix}_97${name}${String(++count).padStart(4, "0")}`
  const message = (info: Record<string, unknown>, parts: Record<string, unknown>[]) => {
    const messageID = id("msg")
    return {
      info: { id: messageID, sessionID, time: { created: START + count, completed: START + count + 1 }, ...info },
      parts: parts.map((part) => ({ id: id("prt"), sessionID, messageID, ...part })),
    }
  }
  const tokens = { total: 20, input: 10, output: 5, reasoning: 3, cache: { read: 1, write: 1 } }
  const time = { start: START, end: START + 5 }
  const tool = (status: string, rest: object) => {
    return {
      type: "tool",
      callID: `call_${status}`,
      tool: "read",
      state: { status, input: { filePath: "/home/ada/code/a.ts" }, ...rest },
    }
  }
  const user = message(
    {
      role: "user",
      agent: "build",
      model: { ...model, variant: "high" },
      summary: { diffs: [{ additions: 1, deletions: 0 }] },
    },
    [
      { type: "text", text: "Do it" },
      { type: "file", mime: "image/png", filename: "a.png", url: "data:image/png;base64,AAAA" },
      { type: "agent", name: "explore", source: { value: "@explore", start: 0, end: 8 } },
      { type: "subtask", prompt: "look", description: "look", agent: "explore" },
    ],
  )
  const answering = { role: "assistant", parentID: user.info.id, ...model, agent: "build", mode: "build" }
  const cost = { cost: 0.25, tokens, path: { cwd: "/home/ada/code", root: "/home/ada/code" } }
  const assistant = message({ ...answering, ...cost, finish: "stop", variant: "high" }, [
    { type: "step-start", snapshot: "abc" },
    { type: "reasoning", text: "hm", time, metadata: { acme: { signature: "x" } } },
    { type: "text", text: "Done", time },
    tool("pending", { raw: "{" }),
    tool("running", { time: { start: START } }),
    tool("completed", { output: "text", title: "a.ts", metadata: { sessionId: "ses_8achild" }, time }),
    tool("error", { error: "Tool execution aborted", metadata: { interrupted: true }, time }),
    {
      type: "retry",
      attempt: 1,
      error: { name: "APIError", data: { message: "no", isRetryable: true } },
      time: { created: START },
    },
    { type: "snapshot", snapshot: "abc" },
    { type: "patch", hash: "def", files: ["/home/ada/code/a.ts"] },
    { type: "step-finish", reason: "stop", cost: 0.25, tokens },
    { type: "hologram", depth: 3 },
  ])
  const marker = message({ role: "user", agent: "build", model }, [
    { type: "compaction", auto: true, tail_start_id: user.info.id },
  ])
  const summary = message(
    {
      ...answering,
      ...cost,
      parentID: marker.info.id,
      agent: "compaction",
      mode: "compaction",
      summary: true,
      finish: "stop",
    },
    [{ type: "text", text: "We did it.", time }],
  )
  const info = {
    id: sessionID,
    slug: "curious-harbor",
    projectID: "f00d",
    directory: "/home/ada/code",
    title: "From OpenCode",
    version: "1.18.33",
    agent: "build",
    model: { id: "large", providerID: "acme", variant: "high" },
    summary: { additions: 3, deletions: 1, files: 1, diffs: [{ file: "a.ts", additions: 3, deletions: 1 }] },
    permission: [{ permission: "question", pattern: "*", action: "deny" }],
    share: { url: "https://share.example/x" },
    cost: 0.5,
    tokens: { input: 10, output: 5, reasoning: 0, cache: { read: 0, write: 0 } },
    time: { created: START, updated: START + 100, archived: START + 200 },
    ...fields,
  }
  return { info, messages: [user, assistant, marker, summary] }
}
