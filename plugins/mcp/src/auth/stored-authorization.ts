import type { AuthorizationServerMetadata, OAuthClientInformationFull } from "@modelcontextprotocol/sdk/shared/auth.js"
import { z } from "zod"

/** Keeps unknown fields, which a later version may have written. */
const tokens = z.looseObject({
  access: z.string(),
  refresh: z.string().optional(),
  scope: z.string().optional(),
  /** Epoch milliseconds. */
  obtained: z.number(),
  /** Epoch milliseconds; missing if unknown. */
  expires: z.number().optional(),
})

const authorization = z.looseObject({
  /** Address of the MCP server, as returned by `canonicalURL`. */
  url: z.string(),
  /** The authorization server that everything else here belongs to. */
  issuer: z.string(),
  /** If missing, the server has no metadata, and the default endpoints are used. */
  metadata: z.custom<AuthorizationServerMetadata>(hasText("token_endpoint")).optional(),
  /** The resource that tokens are requested for. */
  resource: z.string().optional(),
  /** The registered client, or the configured one without its secret. */
  client: z.custom<ClientInformation>(hasText("client_id")),
  isRegistered: z.boolean(),
  tokens: tokens.optional(),
  /** The scope that a request lacked. The next authorization requests it. */
  wantedScope: z.string().optional(),
})

export type StoredTokens = z.infer<typeof tokens>
/** Everything stored about the authorization of one MCP server. */
export type StoredAuthorization = z.infer<typeof authorization>
export type ClientInformation = Pick<
  OAuthClientInformationFull,
  "client_id" | "client_secret" | "client_secret_expires_at"
> & {
  readonly redirect_uris?: readonly string[] | undefined
  readonly token_endpoint_auth_method?: string | undefined
}

/** Returns undefined if the value is invalid. */
export function readAuthorization(value: unknown): StoredAuthorization | undefined {
  return authorization.safeParse(value).data
}

/** Returns the same text for all spellings of an address. Tokens are bound to it. */
export function canonicalURL(url: string): string {
  const parsed = new URL(url)
  parsed.hash = ""
  return parsed.href
}

function hasText(field: string): (value: unknown) => boolean {
  return (value) => typeof (value as Record<string, unknown> | null)?.[field] === "string"
}

/** Reads a field that the SDK's types do not have. */
export function metadataField(metadata: AuthorizationServerMetadata | undefined, field: string): unknown {
  return (metadata as Readonly<Record<string, unknown>> | undefined)?.[field]
}
