import type { Config, McpServerConfig } from "@pawl/config"
import { isSecretName, type Secrets } from "@pawl/secrets"

const SECRET_HEADER = /auth|key|token|secret|cookie|password/i

/** Registers the secrets of a configuration: keys, and headers and variables whose name suggests a secret. */
export function rememberSecrets(
  { provider = {}, mcp = {} }: Pick<Config, "provider" | "mcp">,
  secrets: Pick<Secrets, "add">,
): void {
  for (const server of Object.values(mcp)) rememberServerSecrets(server, secrets)
  for (const [id, { options, models }] of Object.entries(provider)) {
    secrets.add(options?.apiKey, `provider.${id}.options.apiKey`)
    const ofModels = Object.values(models ?? {}).map(({ headers }) => headers)
    for (const table of [options?.headers, options?.query, options?.sdk, ...ofModels]) rememberNamed(table, secrets)
    secrets.add(URL.parse(options?.proxy ?? "")?.password, `provider.${id}.options.proxy`)
  }
}

function rememberNamed(table: Readonly<Record<string, unknown>> = {}, secrets: Pick<Secrets, "add">): void {
  for (const [name, value] of Object.entries(table)) {
    if (typeof value === "string" && (isSecretName(name) || SECRET_HEADER.test(name))) secrets.add(value, name)
  }
}

/** Registers the secrets of one MCP server, from any file. */
export function rememberServerSecrets(server: McpServerConfig, secrets: Pick<Secrets, "add">): void {
  if (!("type" in server)) return
  const named = server.type === "local" ? server.environment : server.headers
  for (const [name, value] of Object.entries(named ?? {})) {
    if (isSecretName(name) || SECRET_HEADER.test(name)) secrets.add(value, name)
  }
  const oauth = server.type === "remote" && server.oauth ? server.oauth : {}
  secrets.add(oauth.clientSecret, "mcp.oauth.clientSecret")
}
