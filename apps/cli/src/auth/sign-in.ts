import { UsageError } from "../arguments/usage-error.ts"
import type { Host } from "../host.ts"
import { openBrowser } from "../mcp/open-browser.ts"
import { plainLine } from "@pawl/plain-text"
import type { Stop } from "../run/stop.ts"
import { beginSignIn, type StartedSignIn } from "@pawl/credentials/begin-sign-in"
import { type Credential, credentialOf } from "@pawl/credentials/credential-of"
import { SignInCanceledError, type Prompter } from "./prompter.ts"
import { pipedKey } from "./piped-key.ts"
import { ProviderPluginError } from "@pawl/credentials/plugin-call"
import { prompted } from "./prompted.ts"
import type { SignInMethod } from "@pawl/credentials/sign-in-methods"

export interface SignInOptions {
  readonly providerID: string
  readonly host: Pick<Host, "stdin" | "stderr" | "secrets">
  readonly stop: Stop
  /** Undefined without a user at a terminal. */
  readonly prompter: Prompter | undefined
}

/** Signs in by a method. Resolves with undefined if the sign-in failed. Rejects with SignInCanceledError if it was canceled. */
export async function signIn({ plugin }: SignInMethod, options: SignInOptions): Promise<Credential | undefined> {
  const { providerID, prompter } = options
  if (!plugin) return { providerID, auth: { type: "api", key: await givenKey(options) } }
  const { method, name } = plugin
  const inputs = await ofPlugin(name, options, () => prompted(method.prompts ?? [], prompter))
  if (method.type === "oauth") {
    const start = await ofPlugin(name, options, () => beginSignIn(providerID, method, inputs))
    return ofPlugin(name, options, () => through(start, options))
  }
  if (method.authorize) {
    return ofPlugin(name, options, async () => credentialOf(providerID, await method.authorize?.(inputs)))
  }
  const key = await givenKey(options)
  const metadata = Object.keys(inputs).length > 0 ? { metadata: inputs } : {}
  return { providerID, auth: { type: "api", key, ...metadata } }
}

/** Reads a key, typed without an echo or from stdin. */
export async function givenKey({ host, prompter, providerID, stop }: SignInOptions): Promise<string> {
  if (prompter)
    return prompter.hidden(`Key for ${providerID}`, (typed) => (typed === "" ? "Nothing was typed." : undefined))
  const key = await untilStopped(stop, () => pipedKey(host))
  if (key === undefined)
    throw new SignInCanceledError("No key came in: stdin is empty. Pipe one in, or name its variable with --key-env.")
  return key
}

async function through(start: StartedSignIn, options: SignInOptions): Promise<Credential | undefined> {
  const { url, instructions, method } = start
  const { host, prompter } = options
  host.stderr.write(`${plainLine(`Open in a browser: ${url}`)}\n`)
  if (instructions) host.stderr.write(`${plainLine(instructions)}\n`)
  // On a remote machine there is no browser. The address was printed.
  if (prompter && /^https?:/.test(url)) await openBrowser(url).catch(() => undefined)
  if (method !== "code") return start.finish()
  const code = prompter
    ? await prompter.text("Code", (typed) => (typed === "" ? "Nothing was typed." : undefined))
    : await pipedKey(host)
  if (code === undefined) throw new SignInCanceledError("No code came in on stdin.")
  host.secrets.add(code, "auth.code")
  return start.finish(code)
}

/** Calls a plugin without a time limit, because it may wait for the user. A stop rejects the call. */
async function ofPlugin<T>(plugin: string, { stop, providerID }: SignInOptions, work: () => Promise<T>): Promise<T> {
  try {
    return await untilStopped(stop, work)
  } catch (cause) {
    if (cause instanceof SignInCanceledError || cause instanceof UsageError) throw cause
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new ProviderPluginError(`Plugin "${plugin}" could not sign in to "${providerID}": ${reason}`, { cause })
  }
}

async function untilStopped<T>({ signal }: Stop, work: () => Promise<T>): Promise<T> {
  const { promise: stopped, reject } = Promise.withResolvers<never>()
  const onStop = () => reject(new SignInCanceledError("The sign-in was canceled."))
  signal.addEventListener("abort", onStop, { once: true })
  if (signal.aborted) onStop()
  try {
    return await Promise.race([stopped, work()])
  } finally {
    signal.removeEventListener("abort", onStop)
  }
}
