import type { Timeouts } from "./timeouts.ts"

interface Common {
  readonly enabled: boolean
  readonly timeouts: Timeouts
}

/** A process on this machine that uses stdin and stdout. */
export interface LocalServer extends Common {
  readonly type: "local"
  /** The program and its arguments. */
  readonly command: readonly [string, ...string[]]
  /** Relative to the project's directory. Default: that directory. */
  readonly cwd?: string
  readonly environment: Readonly<Record<string, string>>
}

export interface RemoteServer extends Common {
  readonly type: "remote"
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** `auto`: Streamable HTTP, or SSE if the server does not support it. */
  readonly transport: "auto" | "http" | "sse"
  /** `false` disables authorization. */
  readonly oauth?: OAuthSettings | false
}

export interface OAuthSettings {
  readonly clientId?: string | undefined
  readonly clientSecret?: string | undefined
  /**
   * An HTTPS address of a document that describes the client, for authorization servers that support it. Replaces
   * `clientId`.
   */
  readonly clientMetadataUrl?: string | undefined
  readonly scope?: string | undefined
  readonly callbackPort?: number | undefined
  readonly redirectUri?: string | undefined
}

export type ServerConfig = LocalServer | RemoteServer

/** If `isFatal` is set, the server cannot be used. */
export interface ConfigProblem {
  readonly server: string
  /** A sentence with the key: `mcp.files.command: must not be empty`. */
  readonly message: string
  readonly isFatal: boolean
}
