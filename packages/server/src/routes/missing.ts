import type { Hono } from "hono"
import { failure } from "../error-response.ts"
import type { Operation, Operations } from "../openapi/operation.ts"

type Route = keyof Operations

/** Routes of OpenCode that are not offered, with their operation ids, by the feature that pawl's server lacks. */
const FEATURES: Readonly<Record<string, Readonly<Record<Route, string>>>> = {
  sharing: {
    "POST /session/:sessionID/share": "session.share",
    "DELETE /session/:sessionID/share": "session.unshare",
  },
  "removing and changing single messages": {
    "DELETE /session/:sessionID/message/:messageID": "session.deleteMessage",
    "DELETE /session/:sessionID/message/:messageID/part/:partID": "part.delete",
    "PATCH /session/:sessionID/message/:messageID/part/:partID": "part.update",
  },
  "changes of a project's configuration": { "PATCH /config": "config.update" },
  "changes of projects": {
    "POST /project/git/init": "project.initGit",
    "PATCH /project/:projectID": "project.update",
  },
  "upgrades of itself": { "POST /global/upgrade": "global.upgrade" },
  "language servers": { "GET /lsp": "lsp.status", "GET /find/symbol": "find.symbols" },
  "a queue of requests for a terminal UI": {
    "GET /tui/control/next": "tui.control.next",
    "POST /tui/control/response": "tui.control.response",
  },
  "OpenCode's console": {
    "GET /experimental/console": "experimental.console.get",
    "GET /experimental/console/orgs": "experimental.console.listOrgs",
    "POST /experimental/console/switch": "experimental.console.switchOrg",
  },
  "background runs of sessions": {
    "POST /experimental/session/:sessionID/background": "experimental.session.background",
  },
  workspaces: {
    "POST /experimental/control-plane/move-session": "experimental.controlPlane.moveSession",
    "GET /experimental/workspace": "experimental.workspace.list",
    "POST /experimental/workspace": "experimental.workspace.create",
    "GET /experimental/workspace/adapter": "experimental.workspace.adapter.list",
    "GET /experimental/workspace/status": "experimental.workspace.status",
    "POST /experimental/workspace/sync-list": "experimental.workspace.syncList",
    "POST /experimental/workspace/warp": "experimental.workspace.warp",
    "DELETE /experimental/workspace/:id": "experimental.workspace.remove",
    "POST /experimental/project/:projectID/copy": "v2.projectCopy.create",
    "DELETE /experimental/project/:projectID/copy": "v2.projectCopy.remove",
    "POST /experimental/project/:projectID/copy/refresh": "v2.projectCopy.refresh",
    "POST /experimental/project/:projectID/copy/generate-name": "experimental.projectCopy.generateName",
  },
  "applying patches": { "POST /vcs/apply": "vcs.apply" },
  "copies of events between servers": {
    "POST /sync/start": "sync.start",
    "POST /sync/replay": "sync.replay",
    "POST /sync/steal": "sync.steal",
    "POST /sync/history": "sync.history.list",
  },
  "switches of a session's agent and model between its prompts": {
    "POST /api/session/:sessionID/agent": "v2.session.switchAgent",
    "POST /api/session/:sessionID/model": "v2.session.switchModel",
  },
  "final undo before the next prompt": { "POST /api/session/:sessionID/revert/commit": "v2.session.revert.commit" },
  "events of OpenCode's newer interface": {
    "GET /api/event": "v2.event.subscribe",
    "GET /api/session/:sessionID/history": "v2.session.history",
    "GET /api/session/:sessionID/event": "v2.session.events",
  },
  "saved permissions of projects": {
    "GET /api/permission/saved": "v2.permission.saved.list",
    "DELETE /api/permission/saved/:id": "v2.permission.saved.remove",
  },
  "permission requests of clients": { "POST /api/session/:sessionID/permission": "v2.session.permission.create" },
  integrations: {
    "GET /api/integration": "v2.integration.list",
    "GET /api/integration/:integrationID": "v2.integration.get",
    "POST /api/integration/:integrationID/connect/key": "v2.integration.connect.key",
    "POST /api/integration/:integrationID/connect/oauth": "v2.integration.connect.oauth",
    "GET /api/integration/attempt/:attemptID": "v2.integration.attempt.status",
    "DELETE /api/integration/attempt/:attemptID": "v2.integration.attempt.cancel",
    "POST /api/integration/attempt/:attemptID/complete": "v2.integration.attempt.complete",
    "PATCH /api/credential/:credentialID": "v2.credential.update",
    "DELETE /api/credential/:credentialID": "v2.credential.remove",
  },
  references: { "GET /api/reference": "v2.reference.list" },
}

/**
 * Next steps for routes that have a near equivalent.
 *
 * `PATCH /config`: a project is trusted by the hash of everything that it supplies, so a changed file makes it untrusted.
 * To trust it again in the same request would also trust what a running tool or git changes at that moment, and in a
 * project that is not trusted, or only for this run, the change would have no effect.
 */
const INSTEAD: Readonly<Record<Route, string>> = {
  "PATCH /config":
    "Change your own configuration with PATCH /global/config, or edit the project's file and trust it again: pawl trust",
}

export const missingOperations: Operations = Object.fromEntries(
  Object.entries(FEATURES).flatMap(([missing, routes]) => {
    return Object.entries(routes).map(([route, id]): [string, Operation] => {
      return [route, { id, summary: `Not offered: pawl's server has no ${missing}.`, missing }]
    })
  }),
)

/** Routes of missing features. Each answers 404 with the feature's name. */
export function addMissingRoutes(app: Hono): void {
  for (const [route, { missing }] of Object.entries(missingOperations)) {
    const [method = "", path = ""] = route.split(" ")
    const instead = INSTEAD[route as Route]
    app.on(method, path, ({ req }) => {
      const text = `pawl's server has no ${missing}: ${req.method} ${req.path} is not offered.`
      return failure(404, "NotFoundError", { message: instead === undefined ? text : `${text} ${instead}` })
    })
  }
}
