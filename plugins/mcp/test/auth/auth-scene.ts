import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import {
  type AuthorizableServer,
  type Authorizer,
  type AuthorizerOptions,
  createAuthorizer,
} from "../../src/auth/authorizer.ts"
import { type ProtectedServer, type ServerBehaviour, startProtectedServer } from "./protected-server.ts"

/** A protected server, and who wants to use it; everything is gone at its end. */
export interface AuthScene extends AsyncDisposable {
  readonly server: ProtectedServer
  /** As it is configured. */
  readonly configured: AuthorizableServer
  readonly authorizer: Authorizer
  readonly dataDirectory: string
  /** Both clocks, in milliseconds beside the true ones. */
  readonly clock: { ahead: number; elapsedAhead: number }
  /** What was told to be kept out of sight. */
  readonly remembered: Set<string>
  /** Another one over the same files, as another process has. */
  again(options?: Partial<AuthorizerOptions>): Authorizer
  /** With a browser in which people say what the server is told they say. */
  authorize(oauth?: AuthorizableServer["oauth"]): Promise<string>
  /** Asks the server something; resolves with the status. */
  ask(method?: string, authorizer?: Authorizer): Promise<number>
  stored(): Promise<string>
}

export async function createAuthScene(behaviour: Partial<ServerBehaviour> = {}): Promise<AuthScene> {
  const dataDirectory = await mkdtemp(join(tmpdir(), "pawl-mcp-auth-"))
  const server = await startProtectedServer(behaviour)
  const clock = { ahead: 0, elapsedAhead: 0 }
  const remembered = new Set<string>()
  const configured: AuthorizableServer = { name: "box", url: server.url, oauth: { callbackPort: 0 } }
  const made: Authorizer[] = []
  const again = (options: Partial<AuthorizerOptions> = {}) => {
    const authorizer = createAuthorizer({
      dataDirectory,
      clock: { now: () => Date.now() + clock.ahead, elapsed: () => performance.now() + clock.elapsedAhead },
      remember: (secret) => remembered.add(secret),
      ...options,
    })
    made.push(authorizer)
    return authorizer
  }
  const authorizer = again()
  return {
    ...{ server, configured, authorizer, dataDirectory, clock, remembered, again },
    async authorize(oauth = configured.oauth) {
      const browser = createBrowser()
      await authorizer.authorize({ ...configured, oauth }, { openBrowser: browser.open })
      return browser.page
    },
    async ask(method = "tools/list", by = authorizer) {
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method })
      const response = await by.fetchFor(configured, fetch)(server.url, { method: "POST", body })
      await response.body?.cancel()
      return response.status
    },
    stored: () => readFile(join(dataDirectory, "mcp-auth.json"), "utf8"),
    async [Symbol.asyncDispose]() {
      await Promise.all(made.map((one) => one.close()))
      await server[Symbol.asyncDispose]()
      await rm(dataDirectory, { recursive: true, force: true })
    },
  }
}

/** Follows where it is sent, as a browser does, and keeps what it shows in the end. */
export function createBrowser(): { page: string; readonly open: (address: string) => Promise<void> } {
  const browser = {
    page: "",
    open: async (address: string) => {
      browser.page = await (await fetch(address)).text()
    },
  }
  return browser
}
