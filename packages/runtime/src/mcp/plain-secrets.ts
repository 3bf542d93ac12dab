import type { McpServerConfig } from "@pawl/config"
import { isSecretName, maskedPatterns } from "@pawl/secrets"

const REFERENCE = /\{(?:env|file):[^{}]+\}/

/** Returns the places of a server's configuration that hold a secret in plain text, such as `the header Authorization`. */
export function plainSecrets(server: McpServerConfig): readonly string[] {
  if (!("type" in server)) return []
  const [kind, named] =
    server.type === "local"
      ? (["the variable", server.environment] as const)
      : (["the header", server.headers] as const)
  const fields = Object.entries(named ?? {})
    .filter(
      ([name, value]) => isPlain(value) && (isSecretName(name) || /auth|cookie/i.test(name) || looksSecret(value)),
    )
    .map(([name]) => `${kind} ${name}`)
  const words = server.type === "local" ? server.command : [server.url]
  return [...fields, ...(words.some((word) => isPlain(word) && looksSecret(word)) ? [WORDS[server.type]] : [])]
}

const WORDS = { local: "the command", remote: "the url" } as const

function isPlain(value: string): boolean {
  return value !== "" && !REFERENCE.test(value)
}

function looksSecret(value: string): boolean {
  return maskedPatterns(value, () => undefined) !== value
}
