import type { Authorizer, Mcp, McpOptions, ServerEntries } from "@pawl/plugin-mcp"
import type { RuntimeHost } from "../host.ts"
import { configuredEnvironment } from "../config/child-environment.ts"
import type { Settings } from "../config/settings.ts"
import { settledGuard } from "../config/settled-guard.ts"
import type { ConfiguredServer } from "./configured-servers.ts"

export interface OpenedMcp extends Mcp {
  readonly authorizer: Authorizer
  /** Ends all servers and the renewal of tokens. */
  close(): Promise<void>
}

/** Opens the MCP servers of the settings. Does not start a server or load the protocol's client. */
export async function openMcp(
  servers: readonly ConfiguredServer[],
  settings: Pick<Settings, "config" | "directory" | "worktree" | "dataDirectory" | "trust">,
  host: Pick<RuntimeHost, "environment" | "guard" | "secrets">,
  options: Partial<McpOptions> = {},
): Promise<OpenedMcp> {
  const { config, directory, worktree, dataDirectory } = settings
  const { environment, secrets } = host
  const [{ createAuthorizer, createMcp }, { guardian }] = await Promise.all([
    import("@pawl/plugin-mcp"),
    settledGuard({ config, dataDirectory }, host),
  ])
  const authorizer = createAuthorizer({ dataDirectory, remember: (secret, name) => secrets.add(secret, name) })
  const { environment: passed } = configuredEnvironment(config, { ...environment, ...guardian.variables })
  const mcp = createMcp({
    ...{ servers: serverEntries(servers), directory, worktree, dataDirectory, environment: passed },
    approvalDirectory: approvalDirectory(settings),
    guardian,
    ...{ mask: (text: string) => secrets.mask(text), authFor: authorizer.fetchFor },
    ...options,
  })
  return {
    ...mcp,
    authorizer,
    async close() {
      await mcp.control.close()
      await authorizer.close()
    },
  }
}

/** Returns the directory whose approvals hold: that from which a worktree of pawl was created, or the own directory. */
export function approvalDirectory({ directory, trust }: Pick<Settings, "directory" | "trust">): string {
  return trust.content.origins?.at(-1)?.directory ?? directory
}

export function serverEntries(servers: readonly ConfiguredServer[]): ServerEntries {
  return Object.fromEntries(servers.map(({ name, entry }) => [name, entry]))
}
