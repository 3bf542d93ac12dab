import { createHash } from "node:crypto"
import { expandTemplate } from "@pawl/config"
import type { OpenCodeHost } from "@pawl/plugin-opencode"
import { findWorktree } from "@pawl/workspace"
import { openAuthFile } from "@pawl/credentials/auth-file"
import type { RuntimeHost } from "../host.ts"
import { ownVersion } from "../own-version.ts"
import type { Command } from "../prompt/builtin-commands.ts"
import { plainLine } from "@pawl/plain-text"
import { allAgents } from "../config/agents.ts"
import { permissionScopes } from "../config/permission-scopes.ts"
import type { PluginEnvironment } from "./plugin-environment.ts"

type ServerCommand = Awaited<ReturnType<OpenCodeHost["commands"]>>[number]

/** Returns the host for OpenCode plugins. Each value is read when a plugin asks for it. */
export async function openCodeHost(
  pluginEnvironment: Readonly<PluginEnvironment>,
  host: RuntimeHost,
): Promise<OpenCodeHost> {
  const { demoDirectory, environment, stderr } = host
  const authFile = () => openAuthFile(pluginEnvironment.settings, host)
  const { directory, worktree } = pluginEnvironment.settings
  const version = ownVersion({ demoDirectory })
  const [repository, guardian] = await Promise.all([findWorktree(directory), host.guard()])
  const id = repository === undefined ? "global" : createHash("sha1").update(worktree).digest("hex")
  return {
    ...{ directory, worktree, version, guardian },
    ...(host.serverURL ? { serverURL: host.serverURL } : {}),
    project: { id, ...(repository === undefined ? {} : { vcs: "git" }), time: { created: Date.now() } },
    config: () => pluginEnvironment.settings.config,
    agents: () => [...allAgents(pluginEnvironment.settings.config.agent).values()],
    commands: () => pluginEnvironment.commands.map(serverCommand),
    providers: () => pluginEnvironment.providers,
    permission: () =>
      permissionScopes(pluginEnvironment.settings.layers, pluginEnvironment.settings.definitions.agents),
    ripgrep: async () => (await import("@pawl/tools")).bundledRipgrep(),
    setAuth: (providerID, auth) => authFile().set(providerID, auth),
    removeAuth: async (providerID) => void (await authFile().remove(providerID)),
    log({ service, level, message }) {
      if (environment["PAWL_DEBUG"]) stderr.write(`${plainLine(`${service} ${level}: ${message}`)}\n`)
    },
    toast({ title, message }) {
      pluginEnvironment.notice(plainLine(title === undefined ? message : `${title}: ${message}`))
    },
  }
}

function serverCommand(command: Command): ServerCommand {
  const { name, description, agent, model, subtask, template, does } = command
  return {
    ...{ name, template },
    ...(description === undefined ? {} : { description }),
    ...(agent === undefined ? {} : { agent }),
    ...(model === undefined ? {} : { model }),
    ...(subtask === undefined ? {} : { subtask }),
    ...(does === undefined ? {} : { does }),
    async expand(args, signal) {
      if (command.expand) return command.expand(args, signal)
      const pieces = expandTemplate(template, args)
      const shell = pieces.find((piece) => piece.type === "shell")
      if (shell) throw new Error(`/${name} runs ${JSON.stringify(shell.command)}, which people alone may ask for.`)
      return [{ type: "text", text: pieces.map((piece) => (piece.type === "shell" ? "" : piece.text)).join("") }]
    },
  }
}
