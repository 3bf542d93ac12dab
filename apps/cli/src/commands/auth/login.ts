import { type CommandInput, defineCommand } from "../../arguments/command.ts"
import { UsageError } from "../../arguments/usage-error.ts"
import { openAuthFile } from "@pawl/credentials/auth-file"
import { contributedAuth, type ReadContributions } from "@pawl/credentials/contributed"
import type { Credential } from "@pawl/credentials/credential-of"
import { providersToChoose } from "../../auth/providers-to-choose.ts"
import { type ExitCode, exitCodes } from "../../exit-code.ts"
import type { Host } from "../../host.ts"
import { openPlugins, type OpenedPlugins } from "@pawl/runtime/open-plugins"
import { isOrganization } from "@pawl/runtime/organization/organization-address"
import { plainLine } from "@pawl/plain-text"
import { listenForStop, stopCode, type StopReason } from "../../run/stop.ts"
import { workDirectory } from "@pawl/runtime/session/work-directory"
import type { Settings } from "@pawl/runtime/config/settings"
import { signIn, type SignInOptions } from "../../auth/sign-in.ts"
import { SignInCanceledError, terminalPrompter } from "../../auth/prompter.ts"
import { API_KEY_METHOD, type SignInMethod, findSignInMethod, signInMethods } from "@pawl/credentials/sign-in-methods"

const directoryOption = {
  dir: {
    value: "<directory>",
    completes: "directories",
    summary: "use the plugins of this directory (default: this one)",
  },
} as const

const authLoginOptions = {
  method: {
    value: "<name>",
    summary: "sign-in method: its number, or a part of its name",
  },
  yes: { short: "y", summary: "accept an organization's settings without asking" },
  "key-env": { value: "<NAME>", summary: "save the key in this environment variable" },
  ...directoryOption,
} as const

type Input = CommandInput<typeof authLoginOptions>

/** Saves a key, signs in with a plugin's method, or signs in to an organization. */
async function authLogin({ options, words }: Input, host: Host): Promise<ExitCode> {
  const [provider] = words
  const variable = options["key-env"]
  if (provider !== undefined && isOrganization(provider)) {
    const { signInToOrganization } = await import("../../organization/sign-in.ts")
    return signInToOrganization({ written: provider, isAccepted: options.yes === true, tokenVariable: variable }, host)
  }
  const stop = listenForStop(host, () => performance.now())
  try {
    const prompter = terminalPrompter(host, stop)
    const isPiped = !prompter && options.method === undefined && provider !== undefined
    const directory = await workDirectory(host, options.dir)
    // A key needs no plugin.
    await using opened = await openPlugins({ directory, host, isPure: variable !== undefined || isPiped })
    const { settings, notices } = opened
    for (const notice of notices) host.stderr.write(`${host.secrets.mask(plainLine(notice))}\n`)
    const credential =
      variable === undefined
        ? await askForCredential(provider, options.method, opened, { host, stop, prompter })
        : keyOf(variable, provider, options.method, host)
    if (credential) return await keep(credential, settings, host)
    host.stderr.write(`Sign-in failed: ${provider ?? "the provider"} did not accept it, or the input was empty.\n`)
    return exitCodes.failed
  } catch (error) {
    if (stop.signal.aborted) return stopCode(stop.signal.reason as StopReason)
    if (!(error instanceof SignInCanceledError)) throw error
    host.stderr.write(`${error.message}\n`)
    return exitCodes.failed
  } finally {
    stop.dispose()
  }
}

function keyOf(
  variable: string,
  providerID: string | undefined,
  method: string | undefined,
  { environment }: Host,
): Credential {
  const key = environment[variable]?.trim()
  if (providerID === undefined) throw new UsageError("missing provider: pawl auth login <provider> --key-env <NAME>")
  if (method !== undefined) throw new UsageError("--method and --key-env cannot be used together.")
  if (!key) throw new UsageError(`--key-env: the variable ${variable} is not set.`)
  return { providerID, auth: { type: "api", key } }
}

async function askForCredential(
  provider: string | undefined,
  method: string | undefined,
  { settings: { config }, engine }: OpenedPlugins,
  terminal: Omit<SignInOptions, "providerID">,
): Promise<Credential | undefined> {
  const { prompter } = terminal
  const read: ReadContributions = (name) => engine?.plugins.contributions(name) ?? []
  const providerID = provider ?? (await prompter?.choice("Which provider?", providersToChoose(read, config)))
  if (providerID === undefined) throw new UsageError("missing provider: pawl auth login <provider>")
  const methods = signInMethods(contributedAuth(read, providerID))
  return signIn(await chosen(methods, method, prompter), { providerID, ...terminal })
}

async function chosen(
  ways: readonly SignInMethod[],
  method: string | undefined,
  prompter: SignInOptions["prompter"],
): Promise<SignInMethod> {
  if (method !== undefined) return findSignInMethod(ways, method)
  const [only, another] = ways
  if (only && !another) return only
  const way = await prompter?.choice(
    "How?",
    ways.map((each) => ({ label: each.label, value: each })),
  )
  return way ?? API_KEY_METHOD
}

async function keep({ providerID, auth }: Credential, settings: Settings, host: Host): Promise<ExitCode> {
  const file = openAuthFile(settings, host)
  await file.set(providerID, auth)
  host.stdout.write(`${plainLine(`Signed in to "${providerID}", saved in ${file.path}.`)}\n`)
  if (settings.config.provider?.[providerID]?.options?.apiKey !== undefined) {
    host.stderr.write(`Your configuration has a key for "${providerID}", which takes precedence.\n`)
  }
  return exitCodes.success
}

export const command = defineCommand({
  usage: ["auth login [options] [provider]", "auth login [options] <https-url>"],
  notes: [
    "Saves a key, or signs in with a method that a plugin provides. Type the key at the hidden prompt, or pipe it in. It is never an argument.",
    "A URL is the address of an organization. pawl shows the organization's configuration and applies it when you accept it. " +
      "Your own configuration takes precedence.",
    "Credentials are saved in auth.json in the data directory, readable only by you. They are used if the configuration has no key.",
  ],
  words: { min: 0, max: 1 },
  options: authLoginOptions,
  exitCodes: { 0: "signed in" },
  examples: [
    ["pawl auth login", "choose a provider and type a key"],
    ["pass show openai | pawl auth login openai", "read the key from a password store"],
    ["pawl auth login mistral --key-env MISTRAL_KEY", "read the key from a variable"],
    ["pawl auth login https://acme.example", "use your organization's configuration"],
  ],
  run: authLogin,
})
