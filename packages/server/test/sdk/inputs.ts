export interface Ids {
  readonly sessionID: string
  readonly messageID: string
  readonly partID: string
  readonly requestID: string
  readonly projectID: string
  readonly ptyID: string
}

interface Fields {
  readonly path?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
}

const model = { providerID: "replay", modelID: "scripted" }
const terminal = { command: "cat" }
const parts = [{ type: "text", text: "Hi" }]

/** Inputs of methods that need more than ids, by name. Those that both SDKs have take the same. */
const INPUTS: Readonly<Record<string, (ids: Ids) => Fields>> = {
  "app.log": () => ({ body: { service: "test", level: "info", message: "Hi" } }),
  "auth.set": () => ({ body: { type: "api", key: "k" } }),
  "provider.oauth.authorize": () => ({ body: { method: 0 } }),
  "provider.oauth.callback": () => ({ body: { method: 0, code: "c" } }),
  "mcp.auth.set": () => ({ path: { id: "replay" }, body: { type: "api", key: "k" } }),
  "mcp.add": () => ({ body: { name: "added", config: { type: "local", command: ["true"], enabled: false } } }),
  "mcp.auth.callback": () => ({ body: { code: "c" } }),
  "auth.callback": () => ({ body: { code: "c" } }),
  "find.text": () => ({ query: { pattern: "one" } }),
  "find.files": () => ({ query: { query: "read" } }),
  "find.symbols": () => ({ query: { query: "read" } }),
  "file.list": () => ({ query: { path: "." } }),
  "file.read": () => ({ query: { path: "read.me" } }),
  "tool.list": () => ({ query: { provider: "replay", model: "scripted" } }),
  "vcs.diff": () => ({ query: { mode: "git" } }),
  "global.config.update": () => ({ body: { config: { model: "replay/scripted" } } }),
  "session.create": () => ({ body: { title: "New" } }),
  "session.update": () => ({ body: { title: "Changed" } }),
  "session.init": ({ messageID }) => ({ body: { ...model, messageID } }),
  "session.fork": () => ({ body: {} }),
  "session.summarize": () => ({ body: { ...model, auto: false } }),
  "session.prompt": () => ({ body: { parts } }),
  "session.promptAsync": () => ({ body: { parts } }),
  "session.command": () => ({ body: { command: "compact", arguments: "" } }),
  "session.shell": () => ({ body: { agent: "build", command: "true" } }),
  "session.revert": ({ messageID }) => ({ body: { messageID } }),
  "pty.create": () => ({ body: terminal }),
  "v2.pty.create": () => ({ body: terminal }),
  "pty.update": () => ({ body: { title: "Mine", size: { rows: 30, cols: 100 } } }),
  "v2.pty.update": () => ({ body: { title: "Mine", size: { rows: 30, cols: 100 } } }),
  "tui.appendPrompt": () => ({ body: { text: "Hi" } }),
  "tui.executeCommand": () => ({ body: { command: "help.show" } }),
  "tui.showToast": () => ({ body: { message: "Hi", variant: "info" } }),
  "tui.publish": () => ({ body: { type: "tui.prompt.append", properties: { text: "Hi" } } }),
  "tui.selectSession": ({ sessionID }) => ({ body: { sessionID } }),
  "permission.reply": () => ({ body: { reply: "once" } }),
  "permission.respond": () => ({ body: { response: "once" } }),
  postSessionIdPermissionsPermissionId: () => ({ body: { response: "once" } }),
  "question.reply": () => ({ body: { answers: [["red"]] } }),
  "v2.session.create": () => ({}),
  "v2.session.prompt": () => ({ body: { prompt: { text: "Hi" } } }),
  "v2.session.revert.stage": ({ messageID }) => ({ body: { messageID } }),
  "v2.session.permission.reply": () => ({ body: { reply: "once" } }),
  "v2.session.question.reply": () => ({ body: { questionV2Reply: { answers: [["red"]] } } }),
  "worktree.create": () => ({ body: { worktreeCreateInput: { name: "beside" } } }),
  "worktree.remove": () => ({ body: { worktreeRemoveInput: { directory: "/worktrees/beside" } } }),
  "worktree.reset": () => ({ body: { worktreeResetInput: { directory: "/worktrees/beside" } } }),
  "v2.fs.find": () => ({ query: { query: "read" } }),
  "v2.fs.list": () => ({ query: { path: "." } }),
}

/** Methods that answer a question, with its kind. */
export const ANSWERING: Readonly<Record<string, "permission" | "question">> = {
  postSessionIdPermissionsPermissionId: "permission",
  "permission.respond": "permission",
  "permission.reply": "permission",
  "question.reply": "question",
  "question.reject": "question",
  "v2.permission.request.list": "permission",
  "v2.session.permission.list": "permission",
  "v2.session.permission.get": "permission",
  "v2.session.permission.reply": "permission",
  "v2.question.request.list": "question",
  "v2.session.question.list": "question",
  "v2.session.question.reply": "question",
  "v2.session.question.reject": "question",
}

/** Returns the input of a method of the classic SDK. Its session is always `id`. */
export function classicInput(name: string, ids: Ids): object {
  const { path, query, body } = INPUTS[name]?.(ids) ?? {}
  const isPty = name.startsWith("pty.")
  const id = isPty
    ? ids.ptyID
    : name.startsWith("provider.") || name.startsWith("auth.")
      ? model.providerID
      : ids.sessionID
  return {
    path: { id, messageID: ids.messageID, permissionID: ids.requestID, name: "files", ...path },
    query: { ...query },
    ...(body === undefined ? {} : { body }),
  }
}

/** Returns the input of a method of the second SDK, which has paths, queries and bodies in one object. */
export function flatInput(name: string, ids: Ids): object {
  const { path, query, body } = INPUTS[name]?.(ids) ?? {}
  const { sessionID, messageID, partID, requestID, projectID, ptyID } = ids
  const wrapped = name === "auth.set" ? { auth: body } : name === "tui.publish" ? { body } : (body as object)
  const fixed = { sessionID, messageID, partID, requestID, permissionID: requestID, projectID }
  const names = {
    providerID: "replay",
    name: "files",
    id: "one",
    ptyID,
    integrationID: "i",
    credentialID: "c",
  }
  return { ...fixed, ...names, attemptID: "a", ...path, ...query, ...wrapped, ...OWN[name]?.(ids) }
}

/** Only some methods have a message's id that is not in the path. */
const OWN: Readonly<Record<string, (ids: Ids) => object>> = {
  "session.prompt": () => ({ messageID: undefined }),
  "session.promptAsync": () => ({ messageID: undefined }),
  "session.command": () => ({ messageID: undefined }),
  "session.fork": () => ({ messageID: undefined }),
  "session.diff": () => ({ messageID: undefined }),
  "session.create": () => ({ parentID: undefined, permission: undefined }),
  "v2.session.create": () => ({ id: undefined }),
  "v2.session.prompt": () => ({ id: undefined }),
}
