import type { Agent } from "@pawl/core"
import type { ServerHost } from "../host.ts"
import { type OpenCodeModel, type OpenCodeProvider } from "./provider.ts"

// The forms of OpenCode's newer interface.

const request = { headers: {}, body: {} }

export function locationOf({ directory, worktree, project }: Pick<ServerHost, "directory" | "worktree" | "project">) {
  return { directory, project: { id: project.id, directory: worktree } }
}

export function newerAgent({
  name,
  description,
  mode = "all",
  hidden = false,
  prompt,
  steps,
  model,
  permission = [],
}: Agent) {
  return {
    id: name,
    mode,
    hidden,
    request,
    permissions: permission.map(({ permission: action, pattern: resource, action: effect }) => ({
      action,
      resource,
      effect,
    })),
    ...(description === undefined ? {} : { description }),
    ...(prompt === undefined ? {} : { system: prompt }),
    ...(steps === undefined ? {} : { steps }),
    ...(model === undefined ? {} : { model: { id: model.modelID, providerID: model.providerID } }),
  }
}

export function newerProvider({ id, name }: OpenCodeProvider) {
  return { id, name, api: { type: "native" as const, settings: {} }, request }
}

export function newerModel({ id, providerID, name, capabilities, cost, limit, status, variants }: OpenCodeModel) {
  const kinds = (table: Readonly<Record<string, boolean>>) =>
    Object.entries(table).flatMap(([kind, isTaken]) => (isTaken ? [kind] : []))
  return {
    id,
    providerID,
    name,
    status,
    enabled: true,
    api: { id, type: "native" as const, settings: {} },
    capabilities: {
      tools: capabilities.toolcall,
      input: kinds(capabilities.input),
      output: kinds(capabilities.output),
    },
    request,
    variants: Object.keys(variants).map((variant) => ({ id: variant, ...request })),
    // Unknown, as in `release_date`.
    time: { released: 0 },
    cost: [cost],
    limit,
  }
}
