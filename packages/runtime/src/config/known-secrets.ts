import type { Config, McpServerConfig } from "@pawl/config"
import { isSecretName, secretVariables, type Secrets } from "@pawl/secrets"

const SECRET_HEADER = /auth|key|token|secret|cookie|password/i

/** Registers the secrets of a configuration: keys, and options, headers and variables whose name suggests a secret. */
export function rememberSecrets(
  { provider = {}, mcp = {}, plugin = [] }: Pick<Config, "provider" | "mcp" | "plugin">,
  secrets: Pick<Secrets, "add">,
): void {
  for (const server of Object.values(mcp)) rememberServerSecrets(server, secrets)
  for (const [id, { options = {}, models = {} }] of Object.entries(provider)) {
    const { apiKey, headers, query, ...others } = options
    secrets.add(apiKey, `provider.${id}.options.apiKey`)
    const ofModels = Object.values(models).map((model) => model.headers)
    for (const table of [headers, query, options.sdk, ...ofModels]) rememberNamed(table, secrets)
    for (const table of [others, models]) rememberOptions(table, secrets)
    secrets.add(URL.parse(options.proxy ?? "")?.password, `provider.${id}.options.proxy`)
  }
  for (const entry of plugin) if (Array.isArray(entry)) rememberOptions(entry[1], secrets)
}

function rememberNamed(table: Readonly<Record<string, unknown>> = {}, secrets: Pick<Secrets, "add">): void {
  for (const [name, value] of Object.entries(table)) {
    if (typeof value === "string" && (isSecretName(name) || SECRET_HEADER.test(name))) secrets.add(value, name)
  }
}

/** At any depth, because programs and plugins choose the form of their options. A path or a plain word is not a secret. */
function rememberOptions(options: unknown, secrets: Pick<Secrets, "add">): void {
  if (typeof options !== "object" || options === null) return
  for (const [name, value] of Object.entries(options)) {
    if (typeof value !== "string") rememberOptions(value, secrets)
    else if (secretVariables({ [name]: value }).length > 0) secrets.add(value, name)
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
