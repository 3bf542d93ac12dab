// Generated from the OpenAPI document of @pawl/server by `vitest run generated -u`. Do not change it by hand.

export type AdmittedPrompt = { admittedSeq: number; id: string; sessionID: string; prompt: NewerPrompt; delivery: "steer" | "queue"; timeCreated: number }

export type Agent = { name: string; description?: string; mode: "primary" | "subagent" | "all"; native: boolean; hidden?: boolean; permission: (PermissionRule)[]; model?: { providerID: string; modelID: string }; prompt?: string; [key: string]: unknown }

export type AgentPart = { id: string; sessionID: string; messageID: string; type: "agent"; name: string; source?: { value: string; start: number; end: number } }

export type AssistantMessage = { id: string; sessionID: string; role: "assistant"; parentID: string; providerID: string; modelID: string; variant?: string; agent: string; mode: string; path: { cwd: string; root: string }; cost: number; tokens: { input: number; output: number; reasoning: number; cache: { read: number; write: number } }; finish?: string; error?: SessionError; summary?: boolean; time: { created: number; completed?: number } }

export type ChangedFile = { path: string; added: number; removed: number; status: "added" | "deleted" | "modified" }

export type ChangedFileDiff = { file: string; patch?: string; additions: number; deletions: number; status: "added" | "deleted" | "modified" }

export type Command = { name: string; description?: string; source: "command" | "mcp" | "skill"; template: string; hints: (string)[]; agent?: string; model?: string; subtask?: boolean }

export type CompactionPart = { id: string; sessionID: string; messageID: string; type: "compaction"; auto: boolean; overflow?: boolean; usable?: number; tail_start_id?: string; answers?: number; answered?: string }

export type Config = { [key: string]: unknown }

export type Error = { name: string; data: { message: string; [key: string]: unknown } }

export type Event = { id: string; type: "server.connected"; properties: { [key: string]: unknown } } | { id: string; type: "server.heartbeat"; properties: { [key: string]: unknown } } | { id: string; type: "server.resync"; properties: { [key: string]: unknown } } | { id: string; type: "session.created"; properties: { sessionID: string; info: Session } } | { id: string; type: "session.updated"; properties: { sessionID: string; info: Session } } | { id: string; type: "session.deleted"; properties: { sessionID: string; info: Session } } | { id: string; type: "session.status"; properties: { sessionID: string; status: SessionStatus } } | { id: string; type: "session.idle"; properties: { sessionID: string } } | { id: string; type: "session.compacted"; properties: { sessionID: string } } | { id: string; type: "session.diff"; properties: { sessionID: string; diff: (FileDiff)[] } } | { id: string; type: "session.error"; properties: { sessionID?: string; error: SessionError } } | { id: string; type: "message.updated"; properties: { sessionID: string; info: Message } } | { id: string; type: "message.removed"; properties: { sessionID: string; messageID: string } } | { id: string; type: "message.part.updated"; properties: { sessionID: string; part: Part; time: number } } | { id: string; type: "message.part.delta"; properties: { sessionID: string; messageID: string; partID: string; field: string; delta: string } } | { id: string; type: "message.part.removed"; properties: { sessionID: string; messageID: string; partID: string } } | { id: string; type: "permission.asked"; properties: PermissionRequest } | { id: string; type: "permission.replied"; properties: { sessionID: string; requestID: string; reply: "once" | "always" | "reject" } } | { id: string; type: "question.asked"; properties: QuestionRequest } | { id: string; type: "question.replied"; properties: { sessionID: string; requestID: string; answers: ((string)[])[] } } | { id: string; type: "question.rejected"; properties: { sessionID: string; requestID: string } } | { id: string; type: "todo.updated"; properties: { sessionID: string; todos: (Todo)[] } } | { id: string; type: "command.executed"; properties: { sessionID: string; messageID: string; name: string; arguments: string } } | { id: string; type: "file.edited"; properties: { file: string } } | { id: string; type: "file.watcher.updated"; properties: { file: string; event: "add" | "change" | "unlink" } } | { id: string; type: "pty.created"; properties: { info: Pty } } | { id: string; type: "pty.updated"; properties: { info: Pty } } | { id: string; type: "pty.exited"; properties: { id: string; exitCode: number } } | { id: string; type: "pty.deleted"; properties: { id: string } } | { id: string; type: "worktree.ready"; properties: { name: string; branch?: string } } | { id: string; type: "tui.prompt.append"; properties: { text: string } } | { id: string; type: "tui.command.execute"; properties: { command: string } } | { id: string; type: "tui.toast.show"; properties: { message: string; variant: string; [key: string]: unknown } } | { id: string; type: "tui.session.select"; properties: { sessionID: string } }

export type FileContent = { type: "text" | "binary"; content: string; encoding?: "base64"; mimeType?: string }

export type FileDiff = { file: string; additions: number; deletions: number; patch?: string; status?: "added" | "deleted" | "modified" }

export type FileNode = { name: string; path: string; absolute: string; type: "file" | "directory"; ignored: boolean }

export type FilePart = { id: string; sessionID: string; messageID: string; type: "file"; mime: string; filename?: string; url: string; source?: { type: "file"; path: string; text: { value: string; start: number; end: number } } | { type: "symbol"; path: string; text: { value: string; start: number; end: number }; range: { start: { line: number; character: number }; end: { line: number; character: number } }; name: string; kind: number } | { type: "resource"; clientName: string; uri: string; text: { value: string; start: number; end: number } } }

export type Formatter = { name: string; extensions: (string)[]; enabled: boolean }

export type GlobalEvent = { directory?: string; payload: Event }

export type GlobalSession = { id: string; projectID: string; directory: string; parentID?: string; title: string; version: string; agent?: string; summary?: { additions: number; deletions: number; files: number; diffs?: (FileDiff)[] }; permission?: (PermissionRule)[]; revert?: { messageID: string; partID?: string; snapshot?: string; diff?: string }; metadata?: { [key: string]: unknown }; time: { created: number; updated: number; compacting?: number; archived?: number }; slug: string; model?: { id: string; providerID: string; variant?: string }; share?: { url: string }; cost?: number; tokens?: { input: number; output: number; reasoning: number; cache: { read: number; write: number } }; project: { id: string; worktree: string } | null }

export type Location = { directory: string; project: { id: string; directory: string } }

export type McpResource = { name: string; uri: string; description?: string; mimeType?: string; client: string }

export type McpStatus = { status: "connected" | "disabled" | "needs_auth" } | { status: "failed" | "needs_client_registration"; error: string }

export type Message = UserMessage | AssistantMessage

export type MessageWithParts = { info: Message; parts: (Part)[] }

export type Model = { id: string; providerID: string; name: string; status: string; capabilities: { temperature: boolean; reasoning: boolean; attachment: boolean; toolcall: boolean; [key: string]: unknown }; cost: { input: number; output: number; [key: string]: unknown }; limit: { context: number; output: number; [key: string]: unknown }; variants: { [key: string]: unknown }; [key: string]: unknown }

export type NewerMessage = { text: string; files?: ({ uri: string; mime: string; name?: string; source?: { start: number; end: number; text: string } })[]; agents?: ({ name: string; source?: { start: number; end: number; text: string } })[]; id: string; time: { created: number; completed?: number }; type: "user" } | { id: string; time: { created: number; completed?: number }; type: "synthetic"; sessionID: string; text: string } | { id: string; time: { created: number; completed?: number }; type: "compaction"; reason: "auto" | "manual"; summary: string; recent: string } | { id: string; time: { created: number; completed?: number }; type: "assistant"; agent: string; model: { id: string; providerID: string; variant?: string }; content: ({ type: "text"; id: string; text: string } | { type: "reasoning"; id: string; text: string; time: { created: number; completed?: number } } | { type: "tool"; id: string; name: string; state: { status: "pending" | "running" | "completed" | "error"; [key: string]: unknown }; time: { created: number; ran?: number; completed?: number; pruned?: number } })[]; finish?: string; cost: number; tokens: { input: number; output: number; reasoning: number; cache: { read: number; write: number } }; error?: { type: "unknown"; message: string } }

export type NewerPermissionRequest = { id: string; sessionID: string; action: string; resources: (string)[]; save?: (string)[]; metadata: { [key: string]: unknown }; source: { messageID: string; callID: string; type: "tool" } }

export type NewerPrompt = { text: string; files?: ({ uri: string; mime: string; name?: string; source?: { start: number; end: number; text: string } })[]; agents?: ({ name: string; source?: { start: number; end: number; text: string } })[] }

export type NewerSession = { id: string; parentID?: string; projectID: string; agent?: string; title: string; model?: { id: string; providerID: string; variant?: string }; cost: number; tokens: { input: number; output: number; reasoning: number; cache: { read: number; write: number } }; time: { created: number; updated: number; archived?: number }; location: { directory: string }; subpath?: string; revert?: { messageID: string; partID?: string; snapshot?: string; diff?: string } }

export type Part = TextPart | ReasoningPart | FilePart | ToolPart | StepStartPart | StepFinishPart | SnapshotPart | PatchPart | AgentPart | SubtaskPart | RetryPart | CompactionPart

export type PatchPart = { id: string; sessionID: string; messageID: string; type: "patch"; hash: string; files: (string)[] }

export type PermissionRequest = { id: string; sessionID: string; permission: string; patterns: (string)[]; metadata: { [key: string]: unknown }; always: (string)[]; tool: { messageID: string; callID: string } }

export type PermissionRule = { permission: string; pattern: string; action: "allow" | "ask" | "deny" }

export type Project = { id: string; worktree: string; vcs?: "git"; sandboxes: (string)[]; time: { created: number; updated: number; initialized?: number } }

export type Provider = { id: string; name: string; source: string; env: (string)[]; options: { [key: string]: unknown }; models: { [key: string]: Model }; [key: string]: unknown }

export type ProviderAuthAuthorization = { url: string; method: "auto" | "code"; instructions: string }

export type ProviderAuthMethod = { type: "oauth" | "api"; label: string; prompts?: ({ key: string; message: string; when?: { key: string; op: "eq" | "neq"; value: string }; type: "text"; placeholder?: string } | { key: string; message: string; when?: { key: string; op: "eq" | "neq"; value: string }; type: "select"; options: ({ label: string; value: string; hint?: string })[] })[] }

export type Pty = { id: string; title: string; command: string; args: (string)[]; cwd: string; status: "running" | "exited"; pid: number; exitCode?: number }

export type PtyConnectToken = { ticket: string; expires_in: number }

export type QuestionRequest = { id: string; sessionID: string; questions: ({ question: string; header: string; options: ({ label: string; description: string })[]; multiple?: boolean; custom?: boolean })[]; tool: { messageID: string; callID: string } }

export type ReasoningPart = { id: string; sessionID: string; messageID: string; type: "reasoning"; text: string; metadata?: { [key: string]: unknown }; time: { start: number; end?: number } }

export type RetryPart = { id: string; sessionID: string; messageID: string; type: "retry"; attempt: number; error: SessionError; time: { created: number } }

export type Session = { id: string; projectID: string; directory: string; parentID?: string; title: string; version: string; agent?: string; summary?: { additions: number; deletions: number; files: number; diffs?: (FileDiff)[] }; permission?: (PermissionRule)[]; revert?: { messageID: string; partID?: string; snapshot?: string; diff?: string }; metadata?: { [key: string]: unknown }; time: { created: number; updated: number; compacting?: number; archived?: number }; slug: string; model?: { id: string; providerID: string; variant?: string }; share?: { url: string }; cost?: number; tokens?: { input: number; output: number; reasoning: number; cache: { read: number; write: number } } }

export type SessionError = { name: string; data: { message: string; [key: string]: unknown } }

export type SessionStatus = { type: "idle" } | { type: "busy" } | { type: "retry"; attempt: number; attempts: number; kind?: string; message: string; next: number }

export type Skill = { name: string; description?: string; location: string; content: string }

export type SnapshotPart = { id: string; sessionID: string; messageID: string; type: "snapshot"; snapshot: string }

export type StepFinishPart = { id: string; sessionID: string; messageID: string; type: "step-finish"; reason: string; snapshot?: string; cost: number; tokens: { input: number; output: number; reasoning: number; cache: { read: number; write: number } }; took?: number }

export type StepStartPart = { id: string; sessionID: string; messageID: string; type: "step-start"; snapshot?: string; head?: { model: string; agent: string; prompt: string; environment: string; instructions: ({ path: string; text: string })[] } }

export type SubtaskPart = { id: string; sessionID: string; messageID: string; type: "subtask"; prompt: string; description: string; agent: string; model?: { providerID: string; modelID: string }; command?: string }

export type TextMatch = { path: { text: string }; lines: { text?: string; [key: string]: unknown }; line_number: number; absolute_offset: number; submatches: ({ start: number; end: number; [key: string]: unknown })[]; [key: string]: unknown }

export type TextPart = { id: string; sessionID: string; messageID: string; type: "text"; text: string; synthetic?: boolean; ignored?: boolean; time?: { start: number; end?: number }; metadata?: { [key: string]: unknown } }

export type Todo = { id: string; content: string; status: string; priority: string }

export type Tool = { id: string; description: string; parameters: { [key: string]: unknown } }

export type ToolPart = { id: string; sessionID: string; messageID: string; type: "tool"; callID: string; tool: string; state: { status: "pending"; input: { [key: string]: unknown }; raw: string } | { status: "running"; input: { [key: string]: unknown }; title?: string; metadata?: { [key: string]: unknown }; time: { start: number } } | { status: "completed"; input: { [key: string]: unknown }; output: string; title: string; metadata: { [key: string]: unknown }; attachments?: ({ id: string; sessionID: string; messageID: string; type: "file"; mime: string; filename?: string; url: string; source?: { type: "file"; path: string; text: { value: string; start: number; end: number } } | { type: "symbol"; path: string; text: { value: string; start: number; end: number }; range: { start: { line: number; character: number }; end: { line: number; character: number } }; name: string; kind: number } | { type: "resource"; clientName: string; uri: string; text: { value: string; start: number; end: number } }; rejected?: { reason: string; time: number } })[]; time: { start: number; end: number; compacted?: number } } | { status: "error"; input: { [key: string]: unknown }; error: string; metadata?: { [key: string]: unknown }; time: { start: number; end: number } }; metadata?: { [key: string]: unknown } }

export type UndoneSession = { id: string; projectID: string; directory: string; parentID?: string; title: string; version: string; agent?: string; summary?: { additions: number; deletions: number; files: number; diffs?: (FileDiff)[] }; permission?: (PermissionRule)[]; revert?: { messageID: string; partID?: string; snapshot?: string; diff?: string }; metadata?: { [key: string]: unknown }; time: { created: number; updated: number; compacting?: number; archived?: number }; slug: string; model?: { id: string; providerID: string; variant?: string }; share?: { url: string }; cost?: number; tokens?: { input: number; output: number; reasoning: number; cache: { read: number; write: number } }; undone?: { files: ({ path: string; had: { hash: string; size: number; blob?: string; isDropped?: true; mode?: number; isLink?: true } | null; left: { hash: string; size: number; blob?: string; isDropped?: true; mode?: number; isLink?: true } | null; outcome: "restored" | "merged" | "unchanged" | "conflict" | "uncovered"; wanted?: { hash: string; size: number; blob?: string; isDropped?: true; mode?: number; isLink?: true } | null; madeDirectory?: string; reason?: string })[]; uncovered: ({ path: string; reason: "size" | "ignored" | "shared" | "limit" | "unreadable" | "background" })[] } }

export type UserMessage = { id: string; sessionID: string; role: "user"; time: { created: number }; agent: string; model: { providerID: string; modelID: string; variant?: string }; system?: string; tools?: { [key: string]: boolean }; delivery?: { mode: "steer" | "queue" | "interrupt"; state: "waiting" | "delivered"; agent?: "session" }; summary?: { title?: string; body?: string; diffs: (FileDiff)[] } }

export type Worktree = { name: string; branch?: string; directory: string }

/** Input and answer of each operation. */

export interface Operations {
  /** Lists agents. */
  "app.agents": { input: {  }; output: (Agent)[] }
  /** Writes to the log. */
  "app.log": { input: { body: { service: string; level: "debug" | "info" | "error" | "warn"; message: string; extra?: { [key: string]: unknown } } }; output: boolean }
  /** Lists skills. */
  "app.skills": { input: {  }; output: (Skill)[] }
  /** Removes a provider's credentials. */
  "auth.remove": { input: { path: { providerID: string } }; output: boolean }
  /** Stores a provider's credentials. */
  "auth.set": { input: { path: { providerID: string }; body: { type: "oauth"; refresh: string; access: string; expires: number; [key: string]: unknown } | { type: "api"; key: string; [key: string]: unknown } | { type: "wellknown"; key: string; token: string; [key: string]: unknown } }; output: boolean }
  /** Lists slash commands. */
  "command.list": { input: {  }; output: (Command)[] }
  /** Returns the configuration. */
  "config.get": { input: {  }; output: Config }
  /** Lists providers with their models. */
  "config.providers": { input: {  }; output: { providers: (Provider)[]; default: { [key: string]: string } } }
  /** Returns this document. */
  "doc.get": { input: {  }; output: { [key: string]: unknown } }
  /** Returns what is supported. */
  "experimental.capabilities.get": { input: {  }; output: { backgroundSubagents: boolean } }
  /** Returns the resources of MCP servers, by name. */
  "experimental.resource.list": { input: {  }; output: { [key: string]: McpResource } }
  /** Lists the sessions of all directories, most recently changed first. */
  "experimental.session.list": { input: { query?: { roots?: "true" | "false"; archived?: "true" | "false"; start?: number; cursor?: number; search?: string; limit?: number } }; output: (GlobalSession)[] }
  /** Lists a directory. */
  "file.list": { input: { query: { path: string } }; output: (FileNode)[] }
  /** Returns a file. */
  "file.read": { input: { query: { path: string } }; output: FileContent }
  /** Lists files that differ from the last commit. */
  "file.status": { input: {  }; output: (ChangedFile)[] }
  /** Finds files by name. */
  "find.files": { input: { query: { query: string; dirs?: "true" | "false"; type?: "file" | "directory"; limit?: number } }; output: (string)[] }
  /** Searches files for a regular expression. */
  "find.text": { input: { query: { pattern: string } }; output: (TextMatch)[] }
  /** Lists formatters. */
  "formatter.status": { input: {  }; output: (Formatter)[] }
  /** Returns the user's own configuration. */
  "global.config.get": { input: {  }; output: Config }
  /** Merges a part into the user's own configuration file, and returns the new configuration. */
  "global.config.update": { input: { body: Config }; output: Config }
  /** Closes all directories. */
  "global.dispose": { input: {  }; output: boolean }
  /** Returns the version. */
  "global.health": { input: {  }; output: { healthy: true; version: string } }
  /** Closes a directory. */
  "instance.dispose": { input: {  }; output: boolean }
  /** Adds an MCP server until the directory is closed. */
  "mcp.add": { input: { body: { name: string; config: { type: "local"; command: (string)[]; cwd?: string; environment?: { [key: string]: string }; enabled?: boolean; timeout?: number } | { type: "remote"; url: string; headers?: { [key: string]: string }; oauth?: false | { [key: string]: unknown }; enabled?: boolean; timeout?: number } } }; output: { [key: string]: McpStatus } }
  /** Signs in: publishes the page to open, and waits for the user. */
  "mcp.auth.authenticate": { input: { path: { name: string } }; output: McpStatus }
  /** Ends a sign-in with the code of its last page. */
  "mcp.auth.callback": { input: { path: { name: string }; body: { code: string } }; output: McpStatus }
  /** Removes the tokens of an MCP server. */
  "mcp.auth.remove": { input: { path: { name: string } }; output: { success: true } }
  /** Begins a sign-in, and returns the page to open. */
  "mcp.auth.start": { input: { path: { name: string } }; output: { authorizationUrl: string; oauthState: string } }
  /** Connects an MCP server. */
  "mcp.connect": { input: { path: { name: string } }; output: boolean }
  /** Ends an MCP server until it is needed. */
  "mcp.disconnect": { input: { path: { name: string } }; output: boolean }
  /** Returns the states of MCP servers, by name. */
  "mcp.status": { input: {  }; output: { [key: string]: McpStatus } }
  /** Returns the directories that are used. */
  "path.get": { input: {  }; output: { home: string; state: string; config: string; worktree: string; directory: string } }
  /** Lists open permission requests. */
  "permission.list": { input: {  }; output: (PermissionRequest)[] }
  /** Answers a permission request. */
  "permission.reply": { input: { path: { requestID: string }; body: { reply: "once" | "always" | "reject"; message?: string; patterns?: (string)[] } }; output: boolean }
  /** Answers a permission request of a session. */
  "permission.respond": { input: { path: { sessionID: string; permissionID: string }; body: { response: "once" | "always" | "reject" } }; output: boolean }
  /** Returns the project. */
  "project.current": { input: {  }; output: Project }
  /** Lists the directories of a project. */
  "project.directories": { input: { path: { projectID: string } }; output: ({ directory: string })[] }
  /** Lists the projects here. */
  "project.list": { input: {  }; output: (Project)[] }
  /** Returns the sign-in methods of each provider of a plugin, in the order by which they are numbered. */
  "provider.auth": { input: {  }; output: { [key: string]: (ProviderAuthMethod)[] } }
  /** Lists providers with their models, and those that can be used. */
  "provider.list": { input: {  }; output: { all: (Provider)[]; default: { [key: string]: string }; connected: (string)[] } }
  /** Begins a sign-in in a browser, and returns the page to open. */
  "provider.oauth.authorize": { input: { path: { providerID: string }; body: { method: number; inputs?: { [key: string]: string } | null } }; output: ProviderAuthAuthorization }
  /** Ends a sign-in with the user's code, or waits for the user, and stores the credentials. */
  "provider.oauth.callback": { input: { path: { providerID: string }; body: { method: number; code?: string | null } }; output: boolean }
  /** Connects to a terminal with a WebSocket: output from the cursor on, and input. */
  "pty.connect": { input: { path: { ptyID: string }; query?: { cursor?: string; ticket?: string } }; output: boolean }
  /** Returns a ticket with which one client can connect once, within a minute. */
  "pty.connectToken": { input: { path: { ptyID: string } }; output: PtyConnectToken }
  /** Opens a terminal under the permission of bash. Without a command, it runs the user's shell. */
  "pty.create": { input: { body: { command?: string; args?: (string)[]; cwd?: string; title?: string; env?: { [key: string]: string } } }; output: Pty }
  /** Returns a running terminal. */
  "pty.get": { input: { path: { ptyID: string } }; output: Pty }
  /** Lists running terminals. */
  "pty.list": { input: {  }; output: (Pty)[] }
  /** Ends a terminal with its programs. */
  "pty.remove": { input: { path: { ptyID: string } }; output: boolean }
  /** Lists the shells of the system. */
  "pty.shells": { input: {  }; output: ({ path: string; name: string; acceptable: boolean })[] }
  /** Changes the title and the size of a terminal. */
  "pty.update": { input: { path: { ptyID: string }; body: { title?: string; size?: { rows: number; cols: number } } }; output: Pty }
  /** Lists open questions. */
  "question.list": { input: {  }; output: (QuestionRequest)[] }
  /** Dismisses a question. */
  "question.reject": { input: { path: { requestID: string } }; output: boolean }
  /** Answers a question. */
  "question.reply": { input: { path: { requestID: string }; body: { answers: ((string)[])[] } }; output: boolean }
  /** Ends the session's run. */
  "session.abort": { input: { path: { sessionID: string } }; output: boolean }
  /** Answers an open question of a session. */
  "session.answer": { input: { path: { sessionID: string; questionID: string }; body: { type: "permission"; reply: "once" | "always" | "reject"; patterns?: (string)[]; message?: string } | { type: "choice"; answers: ((string)[])[] } | { type: "dismissed"; reason: string } }; output: boolean }
  /** Lists the sessions directly below it. */
  "session.children": { input: { path: { sessionID: string } }; output: (Session)[] }
  /** Runs a slash command, and returns the answer when the turn has ended. */
  "session.command": { input: { path: { sessionID: string }; body: { command: string; arguments?: string; agent?: string | null; model?: string | null; messageID?: string | null; parts?: ({ type: "file"; mime: string; filename?: string; url: string })[] | null; delivery?: "steer" | "queue" | "interrupt" | null } }; output: MessageWithParts }
  /** Returns what the next request would contain, in tokens. */
  "session.context": { input: { path: { sessionID: string } }; output: { [key: string]: unknown } }
  /** Creates a session. */
  "session.create": { input: { body: { parentID?: string; title?: string; permission?: ({ permission: string; pattern: string; action: "allow" | "ask" | "deny" })[]; metadata?: { [key: string]: unknown } } }; output: Session }
  /** Removes a session and all below it. */
  "session.delete": { input: { path: { sessionID: string } }; output: boolean }
  /** Returns the files that the session changed. */
  "session.diff": { input: { path: { sessionID: string }; query?: { messageID?: string } }; output: (FileDiff)[] }
  /** Copies a session. */
  "session.fork": { input: { path: { sessionID: string }; body: { messageID?: string } }; output: Session }
  /** Returns a session. */
  "session.get": { input: { path: { sessionID: string } }; output: Session }
  /** Runs the command that writes AGENTS.md, and returns when the turn has ended. */
  "session.init": { input: { path: { sessionID: string }; body: { providerID?: string; modelID?: string; messageID?: string } }; output: boolean }
  /** Lists sessions, most recently changed first. */
  "session.list": { input: { query?: { scope?: "project"; roots?: "true" | "false"; start?: number; search?: string; limit?: number } }; output: (Session)[] }
  /** Returns a message. */
  "session.message": { input: { path: { sessionID: string; messageID: string } }; output: MessageWithParts }
  /** Lists messages, oldest first; with a limit, the newest ones. */
  "session.messages": { input: { path: { sessionID: string }; query?: { limit?: number; before?: string } }; output: (MessageWithParts)[] }
  /** Sends a prompt, and returns the answer when the turn has ended. */
  "session.prompt": { input: { path: { sessionID: string }; body: { messageID?: string | null; model?: { providerID: string; modelID: string } | null; agent?: string | null; variant?: string | null; noReply?: boolean | null; tools?: { [key: string]: boolean } | null; format?: { type: string; [key: string]: unknown } | null; system?: string | null; delivery?: "steer" | "queue" | "interrupt" | null; parts: ({ type: "text"; text: string; synthetic?: boolean; ignored?: boolean } | { type: "file"; mime: string; filename?: string; url: string } | { type: "agent"; name: string; source?: { value: string; start: number; end: number } } | { type: "subtask"; prompt: string; description: string; agent: string; model?: { providerID: string; modelID: string }; command?: string })[] } }; output: MessageWithParts }
  /** Sends a prompt, and returns at once. */
  "session.prompt_async": { input: { path: { sessionID: string }; body: { messageID?: string | null; model?: { providerID: string; modelID: string } | null; agent?: string | null; variant?: string | null; noReply?: boolean | null; tools?: { [key: string]: boolean } | null; format?: { type: string; [key: string]: unknown } | null; system?: string | null; delivery?: "steer" | "queue" | "interrupt" | null; parts: ({ type: "text"; text: string; synthetic?: boolean; ignored?: boolean } | { type: "file"; mime: string; filename?: string; url: string } | { type: "agent"; name: string; source?: { value: string; start: number; end: number } } | { type: "subtask"; prompt: string; description: string; agent: string; model?: { providerID: string; modelID: string }; command?: string })[] } }; output: undefined }
  /** Lists open questions of a session and of those below it, also those from before the server's start. */
  "session.questions": { input: { path: { sessionID: string } }; output: ({ id: string; sessionID: string; rootSessionID: string; messageID: string; callID: string; tool: string; input: { [key: string]: unknown }; about: { type: "permission"; permission: string; patterns: (string)[]; always: (string)[]; directory?: string; metadata: { [key: string]: unknown } } | { type: "choice"; questions: ({ question: string; header: string; options: ({ label: string; description: string })[]; multiple?: boolean; custom?: boolean })[] }; time: { created: number } })[] }
  /** Continues interrupted work of a session, and returns the answer when the turn has ended. */
  "session.resume": { input: { path: { sessionID: string } }; output: MessageWithParts }
  /** Undoes a message and what follows it, in messages and files. */
  "session.revert": { input: { path: { sessionID: string }; body: { messageID?: string; partID?: string; chat?: boolean; files?: boolean } }; output: UndoneSession }
  /** Runs a shell command of the user under the permission of bash, without the model. */
  "session.shell": { input: { path: { sessionID: string }; body: { command: string; agent?: string | null; model?: { providerID: string; modelID: string } | null; messageID?: string | null } }; output: MessageWithParts }
  /** Returns the end of a background command's output so far. */
  "session.shellOutput": { input: { path: { sessionID: string; shellID: string } }; output: { text: string; omitted: number } }
  /** Lists background commands of a session, oldest first. */
  "session.shells": { input: { path: { sessionID: string } }; output: ({ id: string; command: string; started: number; end?: { exit: number | null; signal: string | null; stopped?: "kill" | "timeout" | "abort"; time: number }; lastLine: string })[] }
  /** Returns the states of sessions that are not idle, by id. */
  "session.status": { input: {  }; output: { [key: string]: SessionStatus } }
  /** Stops a background command with all that it started. False: it has ended already. */
  "session.stopShell": { input: { path: { sessionID: string; shellID: string } }; output: boolean }
  /** Compacts the session. */
  "session.summarize": { input: { path: { sessionID: string }; body: { providerID?: string; modelID?: string; focus?: string; auto?: boolean } }; output: boolean }
  /** Returns the session's list of tasks. */
  "session.todo": { input: { path: { sessionID: string } }; output: (Todo)[] }
  /** Takes undos back. */
  "session.unrevert": { input: { path: { sessionID: string }; body: { last?: boolean } }; output: UndoneSession }
  /** Changes a session. */
  "session.update": { input: { path: { sessionID: string }; body: { title?: string; permission?: ({ permission: string; pattern: string; action: "allow" | "ask" | "deny" })[]; metadata?: { [key: string]: unknown }; time?: { archived?: number | null } } }; output: Session }
  /** Takes a waiting prompt back. Answers false if it was delivered already. */
  "session.withdraw": { input: { path: { sessionID: string; messageID: string } }; output: boolean }
  /** Lists the names of tools. */
  "tool.ids": { input: {  }; output: (string)[] }
  /** Lists tools. */
  "tool.list": { input: {  }; output: (Tool)[] }
  /** Appends text to the prompt. */
  "tui.appendPrompt": { input: { body: { text: string } }; output: boolean }
  /** Clears the prompt. */
  "tui.clearPrompt": { input: {  }; output: boolean }
  /** Executes a command. */
  "tui.executeCommand": { input: { body: { command: string } }; output: boolean }
  /** Shows the help. */
  "tui.openHelp": { input: {  }; output: boolean }
  /** Shows the models. */
  "tui.openModels": { input: {  }; output: boolean }
  /** Shows the sessions. */
  "tui.openSessions": { input: {  }; output: boolean }
  /** Shows the themes. */
  "tui.openThemes": { input: {  }; output: boolean }
  /** Publishes an event. */
  "tui.publish": { input: { body: { type: string; properties: { [key: string]: unknown } } }; output: boolean }
  /** Shows a session. */
  "tui.selectSession": { input: { body: { sessionID: string } }; output: boolean }
  /** Shows a message. */
  "tui.showToast": { input: { body: { title?: string; message: string; variant: "info" | "success" | "warning" | "error"; duration?: number } }; output: boolean }
  /** Submits the prompt. */
  "tui.submitPrompt": { input: {  }; output: boolean }
  /** Lists agents. */
  "v2.agent.list": { input: {  }; output: { location: Location; data: ({ id: string; [key: string]: unknown })[] } }
  /** Lists slash commands. */
  "v2.command.list": { input: {  }; output: { location: Location; data: (Command)[] } }
  /** Finds files by name. */
  "v2.fs.find": { input: { query: { query: string; type?: "file" | "directory"; limit?: number } }; output: { location: Location; data: ({ path: string; type: "file" | "directory" })[] } }
  /** Lists a directory. */
  "v2.fs.list": { input: { query?: { path?: string } }; output: { location: Location; data: ({ path: string; type: "file" | "directory" })[] } }
  /** Answers. */
  "v2.health.get": { input: {  }; output: { healthy: true } }
  /** Returns the location. */
  "v2.location.get": { input: {  }; output: Location }
  /** Lists models. */
  "v2.model.list": { input: {  }; output: { location: Location; data: ({ id: string; [key: string]: unknown })[] } }
  /** Lists open permission requests. */
  "v2.permission.request.list": { input: {  }; output: { location: Location; data: (NewerPermissionRequest)[] } }
  /** Returns a provider. */
  "v2.provider.get": { input: { path: { providerID: string } }; output: { location: Location; data: { id: string; [key: string]: unknown } } }
  /** Lists providers. */
  "v2.provider.list": { input: {  }; output: { location: Location; data: ({ id: string; [key: string]: unknown })[] } }
  /** Connects to a terminal with a WebSocket: output from the cursor on, and input. */
  "v2.pty.connect": { input: { path: { ptyID: string }; query?: { cursor?: string; ticket?: string } }; output: boolean }
  /** Returns a ticket with which one client can connect once, within a minute. */
  "v2.pty.connectToken": { input: { path: { ptyID: string } }; output: { location: Location; data: PtyConnectToken } }
  /** Opens a terminal under the permission of bash. Without a command, it runs the user's shell. */
  "v2.pty.create": { input: { body: { command?: string; args?: (string)[]; cwd?: string; title?: string; env?: { [key: string]: string } } }; output: { location: Location; data: Pty } }
  /** Returns a running terminal. */
  "v2.pty.get": { input: { path: { ptyID: string } }; output: { location: Location; data: Pty } }
  /** Lists running terminals. */
  "v2.pty.list": { input: {  }; output: { location: Location; data: (Pty)[] } }
  /** Ends a terminal with its programs. */
  "v2.pty.remove": { input: { path: { ptyID: string } }; output: undefined }
  /** Changes the title and the size of a terminal. */
  "v2.pty.update": { input: { path: { ptyID: string }; body: { title?: string; size?: { rows: number; cols: number } } }; output: { location: Location; data: Pty } }
  /** Lists open questions. */
  "v2.question.request.list": { input: {  }; output: { location: Location; data: (QuestionRequest)[] } }
  /** Returns the sessions that this server works on, by id. */
  "v2.session.active": { input: {  }; output: { data: { [key: string]: { type: "running" } } } }
  /** Compacts the session. */
  "v2.session.compact": { input: { path: { sessionID: string } }; output: undefined }
  /** Lists the messages that the next request would contain, in its order. */
  "v2.session.context": { input: { path: { sessionID: string } }; output: { data: (NewerMessage)[] } }
  /** Creates a session. */
  "v2.session.create": { input: { body: { location?: { directory: string } } }; output: { data: NewerSession } }
  /** Returns a session. */
  "v2.session.get": { input: { path: { sessionID: string } }; output: { data: NewerSession } }
  /** Ends the session's run. */
  "v2.session.interrupt": { input: { path: { sessionID: string } }; output: undefined }
  /** Lists the sessions of all directories, newest first, page by page. */
  "v2.session.list": { input: { query?: { project?: string; subpath?: string; workspace?: string; search?: string; order?: "asc" | "desc"; limit?: number; cursor?: string } }; output: { data: (NewerSession)[]; cursor: { previous?: string; next?: string } } }
  /** Returns a message. */
  "v2.session.message": { input: { path: { sessionID: string; messageID: string } }; output: { data: NewerMessage } }
  /** Lists messages, newest first, page by page. */
  "v2.session.messages": { input: { path: { sessionID: string }; query?: { limit?: number; order?: "asc" | "desc"; cursor?: string } }; output: { data: (NewerMessage)[]; cursor: { previous?: string; next?: string } } }
  /** Returns an open permission request. */
  "v2.session.permission.get": { input: { path: { sessionID: string; requestID: string } }; output: { data: NewerPermissionRequest } }
  /** Lists open permission requests of a session. */
  "v2.session.permission.list": { input: { path: { sessionID: string } }; output: { data: (NewerPermissionRequest)[] } }
  /** Answers a permission request. */
  "v2.session.permission.reply": { input: { path: { sessionID: string; requestID: string }; body: { reply: "once" | "always" | "reject"; message?: string; patterns?: (string)[] } }; output: undefined }
  /** Sends a prompt, and answers when it is stored. */
  "v2.session.prompt": { input: { path: { sessionID: string }; body: { id?: string; prompt: { text: string; files?: ({ uri: string; name?: string })[]; agents?: ({ name: string; source?: { start: number; end: number; text: string } })[] }; delivery?: "steer" | "queue"; resume?: boolean } }; output: { data: AdmittedPrompt } }
  /** Lists open questions of a session. */
  "v2.session.question.list": { input: { path: { sessionID: string } }; output: { data: (QuestionRequest)[] } }
  /** Dismisses a question. */
  "v2.session.question.reject": { input: { path: { sessionID: string; requestID: string } }; output: undefined }
  /** Answers a question. */
  "v2.session.question.reply": { input: { path: { sessionID: string; requestID: string }; body: { answers: ((string)[])[] } }; output: undefined }
  /** Takes all undos back. */
  "v2.session.revert.clear": { input: { path: { sessionID: string } }; output: undefined }
  /** Undoes a message and what follows it. The next prompt makes it final. */
  "v2.session.revert.stage": { input: { path: { sessionID: string }; body: { messageID: string; files?: boolean } }; output: { data: { messageID: string; partID?: string } } }
  /** Answers when the session is idle. */
  "v2.session.wait": { input: { path: { sessionID: string } }; output: undefined }
  /** Lists skills. */
  "v2.skill.list": { input: {  }; output: { location: Location; data: (Skill)[] } }
  /** Returns the differences from the last commit, or from the beginning of the branch. */
  "vcs.diff": { input: { query?: { mode?: "git" | "branch"; context?: number } }; output: (ChangedFileDiff)[] }
  /** Returns the branch. */
  "vcs.get": { input: {  }; output: { branch?: string } }
  /** Lists files that differ from the last commit. */
  "vcs.status": { input: {  }; output: (ChangedFileDiff)[] }
  /** Creates a worktree on a branch of its own, at the commit that is checked out. */
  "worktree.create": { input: { body: { name?: string | null; startCommand?: string | null } }; output: Worktree }
  /** Lists the directories of the worktrees that pawl has created for the repository. */
  "worktree.list": { input: {  }; output: (string)[] }
  /** Removes a worktree that has nothing to lose, and its branch. */
  "worktree.remove": { input: { body: { directory: string } }; output: boolean }
  /** Lets a worktree that has nothing to lose begin again, at the commit that is checked out where it was created. */
  "worktree.reset": { input: { body: { directory: string } }; output: boolean }
}

export const routes = {
  "app.agents": "GET /agent",
  "app.log": "POST /log",
  "app.skills": "GET /skill",
  "auth.remove": "DELETE /auth/{providerID}",
  "auth.set": "PUT /auth/{providerID}",
  "command.list": "GET /command",
  "config.get": "GET /config",
  "config.providers": "GET /config/providers",
  "doc.get": "GET /doc",
  "experimental.capabilities.get": "GET /experimental/capabilities",
  "experimental.resource.list": "GET /experimental/resource",
  "experimental.session.list": "GET /experimental/session",
  "file.list": "GET /file",
  "file.read": "GET /file/content",
  "file.status": "GET /file/status",
  "find.files": "GET /find/file",
  "find.text": "GET /find",
  "formatter.status": "GET /formatter",
  "global.config.get": "GET /global/config",
  "global.config.update": "PATCH /global/config",
  "global.dispose": "POST /global/dispose",
  "global.health": "GET /global/health",
  "instance.dispose": "POST /instance/dispose",
  "mcp.add": "POST /mcp",
  "mcp.auth.authenticate": "POST /mcp/{name}/auth/authenticate",
  "mcp.auth.callback": "POST /mcp/{name}/auth/callback",
  "mcp.auth.remove": "DELETE /mcp/{name}/auth",
  "mcp.auth.start": "POST /mcp/{name}/auth",
  "mcp.connect": "POST /mcp/{name}/connect",
  "mcp.disconnect": "POST /mcp/{name}/disconnect",
  "mcp.status": "GET /mcp",
  "path.get": "GET /path",
  "permission.list": "GET /permission",
  "permission.reply": "POST /permission/{requestID}/reply",
  "permission.respond": "POST /session/{sessionID}/permissions/{permissionID}",
  "project.current": "GET /project/current",
  "project.directories": "GET /project/{projectID}/directories",
  "project.list": "GET /project",
  "provider.auth": "GET /provider/auth",
  "provider.list": "GET /provider",
  "provider.oauth.authorize": "POST /provider/{providerID}/oauth/authorize",
  "provider.oauth.callback": "POST /provider/{providerID}/oauth/callback",
  "pty.connect": "GET /pty/{ptyID}/connect",
  "pty.connectToken": "POST /pty/{ptyID}/connect-token",
  "pty.create": "POST /pty",
  "pty.get": "GET /pty/{ptyID}",
  "pty.list": "GET /pty",
  "pty.remove": "DELETE /pty/{ptyID}",
  "pty.shells": "GET /pty/shells",
  "pty.update": "PUT /pty/{ptyID}",
  "question.list": "GET /question",
  "question.reject": "POST /question/{requestID}/reject",
  "question.reply": "POST /question/{requestID}/reply",
  "session.abort": "POST /session/{sessionID}/abort",
  "session.answer": "POST /session/{sessionID}/question/{questionID}",
  "session.children": "GET /session/{sessionID}/children",
  "session.command": "POST /session/{sessionID}/command",
  "session.context": "GET /session/{sessionID}/context",
  "session.create": "POST /session",
  "session.delete": "DELETE /session/{sessionID}",
  "session.diff": "GET /session/{sessionID}/diff",
  "session.fork": "POST /session/{sessionID}/fork",
  "session.get": "GET /session/{sessionID}",
  "session.init": "POST /session/{sessionID}/init",
  "session.list": "GET /session",
  "session.message": "GET /session/{sessionID}/message/{messageID}",
  "session.messages": "GET /session/{sessionID}/message",
  "session.prompt": "POST /session/{sessionID}/message",
  "session.prompt_async": "POST /session/{sessionID}/prompt_async",
  "session.questions": "GET /session/{sessionID}/question",
  "session.resume": "POST /session/{sessionID}/resume",
  "session.revert": "POST /session/{sessionID}/revert",
  "session.shell": "POST /session/{sessionID}/shell",
  "session.shellOutput": "GET /session/{sessionID}/shell/{shellID}",
  "session.shells": "GET /session/{sessionID}/shell",
  "session.status": "GET /session/status",
  "session.stopShell": "DELETE /session/{sessionID}/shell/{shellID}",
  "session.summarize": "POST /session/{sessionID}/summarize",
  "session.todo": "GET /session/{sessionID}/todo",
  "session.unrevert": "POST /session/{sessionID}/unrevert",
  "session.update": "PATCH /session/{sessionID}",
  "session.withdraw": "DELETE /session/{sessionID}/queue/{messageID}",
  "tool.ids": "GET /experimental/tool/ids",
  "tool.list": "GET /experimental/tool",
  "tui.appendPrompt": "POST /tui/append-prompt",
  "tui.clearPrompt": "POST /tui/clear-prompt",
  "tui.executeCommand": "POST /tui/execute-command",
  "tui.openHelp": "POST /tui/open-help",
  "tui.openModels": "POST /tui/open-models",
  "tui.openSessions": "POST /tui/open-sessions",
  "tui.openThemes": "POST /tui/open-themes",
  "tui.publish": "POST /tui/publish",
  "tui.selectSession": "POST /tui/select-session",
  "tui.showToast": "POST /tui/show-toast",
  "tui.submitPrompt": "POST /tui/submit-prompt",
  "v2.agent.list": "GET /api/agent",
  "v2.command.list": "GET /api/command",
  "v2.fs.find": "GET /api/fs/find",
  "v2.fs.list": "GET /api/fs/list",
  "v2.health.get": "GET /api/health",
  "v2.location.get": "GET /api/location",
  "v2.model.list": "GET /api/model",
  "v2.permission.request.list": "GET /api/permission/request",
  "v2.provider.get": "GET /api/provider/{providerID}",
  "v2.provider.list": "GET /api/provider",
  "v2.pty.connect": "GET /api/pty/{ptyID}/connect",
  "v2.pty.connectToken": "POST /api/pty/{ptyID}/connect-token",
  "v2.pty.create": "POST /api/pty",
  "v2.pty.get": "GET /api/pty/{ptyID}",
  "v2.pty.list": "GET /api/pty",
  "v2.pty.remove": "DELETE /api/pty/{ptyID}",
  "v2.pty.update": "PUT /api/pty/{ptyID}",
  "v2.question.request.list": "GET /api/question/request",
  "v2.session.active": "GET /api/session/active",
  "v2.session.compact": "POST /api/session/{sessionID}/compact",
  "v2.session.context": "GET /api/session/{sessionID}/context",
  "v2.session.create": "POST /api/session",
  "v2.session.get": "GET /api/session/{sessionID}",
  "v2.session.interrupt": "POST /api/session/{sessionID}/interrupt",
  "v2.session.list": "GET /api/session",
  "v2.session.message": "GET /api/session/{sessionID}/message/{messageID}",
  "v2.session.messages": "GET /api/session/{sessionID}/message",
  "v2.session.permission.get": "GET /api/session/{sessionID}/permission/{requestID}",
  "v2.session.permission.list": "GET /api/session/{sessionID}/permission",
  "v2.session.permission.reply": "POST /api/session/{sessionID}/permission/{requestID}/reply",
  "v2.session.prompt": "POST /api/session/{sessionID}/prompt",
  "v2.session.question.list": "GET /api/session/{sessionID}/question",
  "v2.session.question.reject": "POST /api/session/{sessionID}/question/{requestID}/reject",
  "v2.session.question.reply": "POST /api/session/{sessionID}/question/{requestID}/reply",
  "v2.session.revert.clear": "POST /api/session/{sessionID}/revert/clear",
  "v2.session.revert.stage": "POST /api/session/{sessionID}/revert/stage",
  "v2.session.wait": "POST /api/session/{sessionID}/wait",
  "v2.skill.list": "GET /api/skill",
  "vcs.diff": "GET /vcs/diff",
  "vcs.get": "GET /vcs",
  "vcs.status": "GET /vcs/status",
  "worktree.create": "POST /experimental/worktree",
  "worktree.list": "GET /experimental/worktree",
  "worktree.remove": "DELETE /experimental/worktree",
  "worktree.reset": "POST /experimental/worktree/reset",
} as const

