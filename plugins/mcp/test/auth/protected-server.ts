// An MCP server with its authorization server, for tests. It takes nothing that is not exactly right, and notes what was not.
import { createHash, randomUUID } from "node:crypto"
import { once } from "node:events"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"

/** What can be changed while it runs. */
export interface ServerBehaviour {
  /** Which metadata there is: of the resource and of the authorization server, of the latter alone, or none. */
  metadata: "all" | "authorization server" | "none"
  /** Whether clients can register themselves; a secret is given and wanted with `secret`. */
  registration: "none" | "public" | "secret"
  /** What people say. */
  consent: "granted" | "denied" | "wrong state" | "wrong issuer" | "no issuer"
  /** Seconds that are promised for access tokens; they are taken until they are revoked here. */
  lifetime: number | undefined
  isRotating: boolean
  /** No token is good for anything. */
  isClosed?: boolean
  /** Scope that calling tools needs. */
  scope: string | undefined
  /** What a request for a renewal waits for, before or after tokens were rotated. */
  beforeRotation?: Promise<void>
  afterRotation?: Promise<void>
  /** Answers renewals with this status in place of tokens. */
  renewalStatus?: number
  /** Things that metadata says besides. */
  more: Readonly<Record<string, unknown>>
}

export interface ProtectedServer extends AsyncDisposable {
  readonly origin: string
  /** Of the MCP server. */
  readonly url: string
  readonly behaviour: ServerBehaviour
  /** `POST /token refresh_token`, in order. */
  readonly requests: readonly string[]
  /** What was not as it has to be. */
  readonly mistakes: readonly string[]
  /** All that nobody else is to see. */
  readonly secrets: ReadonlySet<string>
  readonly clients: Map<string, Client>
  count(request: string): number
  /** Requests whose sender was gone before they were answered. */
  abandoned(): number
  /** Access tokens that were given are taken no more. */
  endAccess(): void
  /** Nor can they be renewed. */
  endAll(): void
}

interface Client {
  readonly secret: string | undefined
  readonly redirects: readonly string[]
}

interface Grant {
  readonly client: string
  readonly scope: string
  readonly resource: string | null
  /** Tokens of one consent: if a refresh token comes twice, somebody has stolen it, and all of them end. */
  readonly family: string
}

interface Code extends Grant {
  readonly redirect: string
  readonly challenge: string
}

export const configuredClient = { clientId: "configured", clientSecret: "configured-secret-0123" }

export async function startProtectedServer(given: Partial<ServerBehaviour> = {}): Promise<ProtectedServer> {
  const behaviour: ServerBehaviour = {
    ...{
      metadata: "all",
      registration: "public",
      consent: "granted",
      lifetime: 3600,
      isRotating: true,
      scope: undefined,
      more: {},
    },
    ...given,
  }
  const requests: string[] = []
  const mistakes: string[] = []
  const secrets = new Set<string>([configuredClient.clientSecret])
  const codes = new Map<string, Code>()
  const access = new Map<string, Grant>()
  const refresh = new Map<string, Grant & { isUsed: boolean }>()
  const clients = new Map<string, Client>()
  let origin = ""

  const secret = (kind: string): string => {
    const made = `${kind}-${randomUUID()}`
    secrets.add(made)
    return made
  }

  function json(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body))
  }
  function refuse(response: ServerResponse, error: string, mistake?: string): void {
    if (mistake !== undefined) mistakes.push(mistake)
    // Such texts quote what they were sent: it must not be repeated.
    json(response, error === "invalid_client" ? 401 : 400, {
      error,
      error_description: `Refused: ${[...secrets].join(" ")}`,
    })
  }

  function metadata(): object {
    const secretMethods =
      behaviour.registration === "secret" ? ["client_secret_basic"] : ["none", "client_secret_basic"]
    return {
      issuer: origin,
      authorization_endpoint: `${origin}/authorize`,
      token_endpoint: `${origin}/token`,
      revocation_endpoint: `${origin}/revoke`,
      ...(behaviour.registration === "none" ? {} : { registration_endpoint: `${origin}/register` }),
      response_types_supported: ["code"],
      grant_types_supported: ["authorization_code", "refresh_token"],
      code_challenge_methods_supported: ["S256"],
      token_endpoint_auth_methods_supported: secretMethods,
      ...behaviour.more,
    }
  }

  function register(body: Record<string, unknown>, response: ServerResponse): void {
    if (behaviour.registration === "none") return json(response, 403, { error: "access_denied" })
    const redirects = body["redirect_uris"] as string[]
    const method = body["token_endpoint_auth_method"]
    if (!redirects.every((redirect) => /^http:\/\/127\.0\.0\.1:\d+\//.test(redirect)))
      mistakes.push("redirect is not of this machine")
    if ((method === "none") !== (behaviour.registration === "public"))
      mistakes.push(`registered with ${String(method)}`)
    const id = randomUUID()
    const client: Client = { redirects, secret: method === "none" ? undefined : secret("client") }
    clients.set(id, client)
    json(response, 201, {
      ...body,
      client_id: id,
      ...(client.secret ? { client_secret: client.secret, client_secret_expires_at: 0 } : {}),
    })
  }

  function authorize(query: URLSearchParams, response: ServerResponse): void {
    const client = clients.get(query.get("client_id") ?? "")
    const redirect = query.get("redirect_uri") ?? ""
    if (!client) return refuse(response, "invalid_client")
    if (!client.redirects.includes(redirect)) return refuse(response, "invalid_request", "redirect was not registered")
    const challenge = query.get("code_challenge") ?? ""
    if (query.get("code_challenge_method") !== "S256" || challenge.length !== 43) mistakes.push("no PKCE")
    if ((query.get("state") ?? "").length < 32) mistakes.push("state can be guessed")
    if (query.get("resource") !== (behaviour.metadata === "all" ? `${origin}/mcp` : null))
      mistakes.push(`resource ${query.get("resource")}`)
    const target = new URL(redirect)
    const { consent } = behaviour
    target.searchParams.set("state", consent === "wrong state" ? "f".repeat(43) : (query.get("state") ?? ""))
    const namesItself = behaviour.more["authorization_response_iss_parameter_supported"] === true
    if (namesItself && consent !== "no issuer") target.searchParams.set("iss", origin)
    if (consent === "wrong issuer") target.searchParams.set("iss", "https://attacker.example")
    if (consent === "denied") target.searchParams.set("error", "access_denied")
    else {
      const code = secret("code")
      const { scope, resource } = { scope: query.get("scope") ?? "", resource: query.get("resource") }
      codes.set(code, {
        client: query.get("client_id") ?? "",
        redirect,
        challenge,
        scope,
        resource,
        family: randomUUID(),
      })
      target.searchParams.set("code", code)
    }
    response.writeHead(302, { location: target.href }).end()
  }

  /** The client that a request is of; undefined: it was refused. */
  function authenticated(
    request: IncomingMessage,
    body: URLSearchParams,
    response: ServerResponse,
  ): string | undefined {
    const [, basic] = /^Basic (.+)$/.exec(request.headers.authorization ?? "") ?? []
    const [id = "", password] = basic
      ? Buffer.from(basic, "base64").toString().split(":")
      : [body.get("client_id") ?? ""]
    const client = clients.get(id)
    if (!client) refuse(response, "invalid_client")
    else if (client.secret !== password) refuse(response, "invalid_client", "wrong secret")
    else return id
    return undefined
  }

  function give(response: ServerResponse, grant: Grant, given?: string): void {
    const token = secret("access")
    access.set(token, grant)
    const renewal = given ?? secret("refresh")
    if (given === undefined) refresh.set(renewal, { ...grant, isUsed: false })
    json(response, 200, {
      ...{ access_token: token, token_type: "Bearer" },
      ...(behaviour.lifetime === undefined ? {} : { expires_in: behaviour.lifetime }),
      ...(given === undefined ? { refresh_token: renewal } : {}),
    })
  }

  function exchange(client: string, body: URLSearchParams, response: ServerResponse): void {
    const code = codes.get(body.get("code") ?? "")
    codes.delete(body.get("code") ?? "")
    if (!code || code.client !== client) return refuse(response, "invalid_grant", "unknown code")
    if (code.redirect !== body.get("redirect_uri")) return refuse(response, "invalid_grant", "another redirect")
    if (code.resource !== body.get("resource")) return refuse(response, "invalid_target", "another resource")
    const hash = createHash("sha256")
      .update(body.get("code_verifier") ?? "")
      .digest("base64url")
    if (hash !== code.challenge) return refuse(response, "invalid_grant", "wrong code verifier")
    give(response, code)
  }

  async function renew(client: string, body: URLSearchParams, response: ServerResponse): Promise<void> {
    await behaviour.beforeRotation
    // Who asked is gone, and what was asked with it.
    if (response.socket?.destroyed !== false) return
    if (behaviour.renewalStatus !== undefined) return json(response, behaviour.renewalStatus, { oops: [...secrets] })
    const token = body.get("refresh_token") ?? ""
    const grant = refresh.get(token)
    if (!grant || grant.client !== client) return refuse(response, "invalid_grant")
    if (grant.resource !== body.get("resource")) return refuse(response, "invalid_target", "another resource")
    if (grant.isUsed) {
      for (const tokens of [access, refresh])
        for (const [key, { family }] of tokens) if (family === grant.family) tokens.delete(key)
      return refuse(response, "invalid_grant", "refresh token used twice")
    }
    grant.isUsed = behaviour.isRotating
    await behaviour.afterRotation
    give(response, grant, behaviour.isRotating ? undefined : token)
  }

  function answerMessage(
    request: IncomingMessage,
    message: { id?: unknown; method?: string },
    response: ServerResponse,
  ): void {
    const [, token = ""] = /^Bearer (.+)$/.exec(request.headers.authorization ?? "") ?? []
    const grant = access.get(token)
    if (!grant || behaviour.isClosed || (behaviour.metadata === "all" && grant.resource !== `${origin}/mcp`)) {
      const address =
        behaviour.metadata === "all" ? `, resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"` : ""
      return json(
        response,
        401,
        { error: "invalid_token" },
        { "www-authenticate": `Bearer error="invalid_token"${address}` },
      )
    }
    if (message.id === undefined) return void response.writeHead(202).end()
    const { scope } = behaviour
    if (message.method === "tools/call" && scope !== undefined && !grant.scope.split(" ").includes(scope)) {
      const challenge = `Bearer error="insufficient_scope", scope="${scope}"`
      return json(response, 403, { error: "insufficient_scope" }, { "www-authenticate": challenge })
    }
    json(response, 200, { jsonrpc: "2.0", id: message.id, result: results[message.method ?? ""] ?? {} })
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? "/", origin)
    const body = await text(request)
    const form = new URLSearchParams(pathname === "/token" || pathname === "/revoke" ? body : "")
    const detail = form.get("grant_type") ?? form.get("token_type_hint") ?? ""
    requests.push(`${request.method} ${pathname} ${detail}`.trim())
    const hasMetadata = behaviour.metadata !== "none"
    if (pathname === "/mcp" && request.method === "POST") {
      return answerMessage(request, JSON.parse(body) as { id?: unknown; method?: string }, response)
    }
    if (pathname === "/mcp") return void response.writeHead(request.method === "GET" ? 405 : 200).end()
    if (pathname === "/.well-known/oauth-protected-resource/mcp" && behaviour.metadata === "all") {
      return json(response, 200, { resource: `${origin}/mcp`, authorization_servers: [origin], ...behaviour.more })
    }
    if (pathname === "/.well-known/oauth-authorization-server" && hasMetadata) return json(response, 200, metadata())
    if (pathname === "/register") return register(JSON.parse(body) as Record<string, unknown>, response)
    if (pathname === "/authorize") return authorize(searchParams, response)
    if (pathname === "/token" || pathname === "/revoke") {
      const client = authenticated(request, form, response)
      if (client === undefined) return
      if (pathname === "/revoke") {
        access.delete(form.get("token") ?? "")
        refresh.delete(form.get("token") ?? "")
        return json(response, 200, {})
      }
      return detail === "refresh_token" ? renew(client, form, response) : exchange(client, form, response)
    }
    response.writeHead(404).end()
  }

  let abandoned = 0
  const server = createServer((request, response) => {
    response.once("close", () => (abandoned += response.writableEnded ? 0 : 1))
    void answer(request, response)
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    ...{ origin, url: `${origin}/mcp`, behaviour, requests, mistakes, secrets, clients },
    count: (request) => requests.filter((noted) => noted === request).length,
    abandoned: () => abandoned,
    endAccess: () => access.clear(),
    endAll() {
      access.clear()
      refresh.clear()
    },
    async [Symbol.asyncDispose]() {
      const closed = once(server, "close")
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

const results: Readonly<Record<string, unknown>> = {
  initialize: {
    protocolVersion: "2025-06-18",
    capabilities: { tools: {} },
    serverInfo: { name: "protected", version: "1.0.0" },
  },
  "tools/list": { tools: [{ name: "whoami", description: "Says who asks", inputSchema: { type: "object" } }] },
  "tools/call": { content: [{ type: "text", text: "you" }] },
}
