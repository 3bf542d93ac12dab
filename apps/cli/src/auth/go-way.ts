import type { AuthOutcome, OAuthStart } from "@pawl/core"
import { UsageError } from "../arguments/usage-error.ts"
import type { Host } from "../host.ts"
import { openBrowser } from "../mcp/open-browser.ts"
import { plainLine } from "../render/plain.ts"
import type { Stop } from "../run/stop.ts"
import { type Credential, keptOutcome } from "./kept-outcome.ts"
import { BrokenOffError, type Person } from "./person.ts"
import { pipedKey } from "./piped-key.ts"
import { ProviderPluginError } from "./plugin-call.ts"
import { prompted } from "./prompted.ts"
import type { Way } from "./ways.ts"

export interface WayScene {
  readonly providerID: string
  readonly host: Pick<Host, "stdin" | "stderr" | "secrets">
  readonly stop: Stop
  /** Undefined without a user at a terminal. */
  readonly person: Person | undefined
}

/** Goes a way to sign in to its end. Undefined where it failed; rejects where it is broken off or cannot be gone. */
export async function goWay({ plugin }: Way, scene: WayScene): Promise<Credential | undefined> {
  const { providerID, person } = scene
  if (!plugin) return { providerID, auth: { type: "api", key: await givenKey(scene) } }
  const { method, name } = plugin
  const inputs = await ofPlugin(name, scene, () => prompted(method.prompts ?? [], person))
  if (method.type === "oauth") {
    const start = await ofPlugin(name, scene, () => method.authorize(inputs))
    return ofPlugin(name, scene, async () => keptOutcome(providerID, await through(start, scene)))
  }
  if (method.authorize) {
    return ofPlugin(name, scene, async () => keptOutcome(providerID, await method.authorize?.(inputs)))
  }
  const key = await givenKey(scene)
  const metadata = Object.keys(inputs).length > 0 ? { metadata: inputs } : {}
  return { providerID, auth: { type: "api", key, ...metadata } }
}

/** Typed without being shown, or from stdin. */
export async function givenKey({ host, person, providerID, stop }: WayScene): Promise<string> {
  if (person)
    return person.hidden(`Key for ${providerID}`, (typed) => (typed === "" ? "Nothing was typed." : undefined))
  const key = await untilStopped(stop, () => pipedKey(host))
  if (key === undefined)
    throw new BrokenOffError("No key came in: stdin is empty. Pipe one in, or name its variable with --key-env.")
  return key
}

async function through(start: OAuthStart, scene: WayScene): Promise<AuthOutcome> {
  const { url, instructions, method } = start
  const { host, person } = scene
  host.stderr.write(`${plainLine(`Open in a browser: ${url}`)}\n`)
  if (instructions) host.stderr.write(`${plainLine(instructions)}\n`)
  // Who works on another machine has none here, and has the address.
  if (person && /^https?:/.test(url)) await openBrowser(url).catch(() => undefined)
  if (method !== "code") return start.callback()
  const code = person
    ? await person.text("Code", (typed) => (typed === "" ? "Nothing was typed." : undefined))
    : await pipedKey(host)
  if (code === undefined) throw new BrokenOffError("No code came in on stdin.")
  host.secrets.add(code, "auth.code")
  return start.callback(code)
}

/** Calls a plugin without a time limit, because it may wait for the user. A stop rejects the call. */
async function ofPlugin<T>(plugin: string, { stop, providerID }: WayScene, work: () => Promise<T>): Promise<T> {
  try {
    return await untilStopped(stop, work)
  } catch (cause) {
    if (cause instanceof BrokenOffError || cause instanceof UsageError) throw cause
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new ProviderPluginError(`Plugin "${plugin}" could not sign in to "${providerID}": ${reason}`, { cause })
  }
}

async function untilStopped<T>({ signal }: Stop, work: () => Promise<T>): Promise<T> {
  const { promise: stopped, reject } = Promise.withResolvers<never>()
  const onStop = () => reject(new BrokenOffError("The sign-in was canceled."))
  signal.addEventListener("abort", onStop, { once: true })
  if (signal.aborted) onStop()
  try {
    return await Promise.race([stopped, work()])
  } finally {
    signal.removeEventListener("abort", onStop)
  }
}
