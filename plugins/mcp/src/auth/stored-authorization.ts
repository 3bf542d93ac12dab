import type { AuthorizationServerMetadata, OAuthClientInformationFull } from "@modelcontextprotocol/sdk/shared/auth.js"
import { z } from "zod"

/** Unknown fields are kept: they may come from a later version. */
const tokens = z.looseObject({
  access: z.string(),
  refresh: z.string().optional(),
  scope: z.string().optional(),
  /** Epoch milliseconds. */
  obtained: z.number(),
  /** Epoch milliseconds; absent: the authorization server does not tell. */
  expires: z.number().optional(),
})

const authorization = z.looseObject({
  /** The MCP server's, as `canonicalURL` gives it. */
  url: z.string(),
  /** The authorization server that all of this is for. */
  issuer: z.string(),
  /** Absent: it gives none, and its endpoints are the usual ones. */
  metadata: z.custom<AuthorizationServerMetadata>(hasText("token_endpoint")).optional(),
  /** What tokens are asked for. */
  resource: z.string().optional(),
  /** As it was registered, or as it was configured: then without its secret. */
  client: z.custom<ClientInformation>(hasText("client_id")),
  isRegistered: z.boolean(),
  tokens: tokens.optional(),
  /** What a request was refused for the lack of: the next authorization asks for it. */
  wantedScope: z.string().optional(),
})

export type StoredTokens = z.infer<typeof tokens>
/** What is known of the authorization of one MCP server. */
export type StoredAuthorization = z.infer<typeof authorization>
export type ClientInformation = Pick<
  OAuthClientInformationFull,
  "client_id" | "client_secret" | "client_secret_expires_at"
> & {
  readonly redirect_uris?: readonly string[] | undefined
  readonly token_endpoint_auth_method?: string | undefined
}

/** Undefined: it is none. */
export function readAuthorization(value: unknown): StoredAuthorization | undefined {
  return authorization.safeParse(value).data
}

/** The same for each spelling of an address. Tokens are bound to it. */
export function canonicalURL(url: string): string {
  const parsed = new URL(url)
  parsed.hash = ""
  return parsed.href
}

function hasText(field: string): (value: unknown) => boolean {
  return (value) => typeof (value as Record<string, unknown> | null)?.[field] === "string"
}

/** A field that the types of the protocol's client do not know. */
export function metadataField(metadata: AuthorizationServerMetadata | undefined, field: string): unknown {
  return (metadata as Readonly<Record<string, unknown>> | undefined)?.[field]
}
