import type { Timeouts } from "./timeouts.ts"

interface Common {
  readonly enabled: boolean
  readonly timeouts: Timeouts
}

/** A process of this machine, spoken to over its standard input and output. */
export interface LocalServer extends Common {
  readonly type: "local"
  /** The program, then its arguments. */
  readonly command: readonly [string, ...string[]]
  /** Relative to the project's directory; absent: that directory. */
  readonly cwd?: string
  readonly environment: Readonly<Record<string, string>>
}

export interface RemoteServer extends Common {
  readonly type: "remote"
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** `auto`: Streamable HTTP, and SSE where the server does not know that. */
  readonly transport: "auto" | "http" | "sse"
  /** What is known of its authorization; `false`: none is tried. */
  readonly oauth?: OAuthSettings | false
}

export interface OAuthSettings {
  readonly clientId?: string | undefined
  readonly clientSecret?: string | undefined
  /** An https address of a document that describes the client, for authorization servers that read such. Without `clientId`. */
  readonly clientMetadataUrl?: string | undefined
  readonly scope?: string | undefined
  readonly callbackPort?: number | undefined
  readonly redirectUri?: string | undefined
}

export type ServerConfig = LocalServer | RemoteServer

/** What is wrong with a configuration; `isFatal`: the server cannot be used. */
export interface ConfigProblem {
  readonly server: string
  /** A sentence with the key: `mcp.files.command: must not be empty`. */
  readonly message: string
  readonly isFatal: boolean
}
