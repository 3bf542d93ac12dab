import type { CommandForm } from "../arguments/command.ts"
import { done, format } from "../command-options.ts"

const place = {
  dir: { value: "<directory>", summary: "use the plugins of this directory (default: this one)" },
} as const

export const authLoginOptions = {
  method: {
    value: "<name>",
    summary: "sign-in method: its number, or a part of its name",
  },
  yes: { short: "y", summary: "accept an organization's settings without asking" },
  "key-env": { value: "<NAME>", summary: "save the key in this environment variable" },
  ...place,
} as const

export const authLoginForm = {
  usage: ["auth login [options] [provider]", "auth login [options] <https-url>"],
  notes: [
    "Saves a key, or signs in with a method that a plugin provides. Type the key at the hidden prompt, or pipe it in. It is never an argument.",
    "A URL is the address of an organization. pawl shows the organization's configuration and applies it when you accept it. " +
      "Your own configuration takes precedence.",
    "Credentials are saved in auth.json in the data directory, readable only by you. They are used if the configuration has no key.",
  ],
  words: { min: 0, max: 1 },
  options: authLoginOptions,
  exitCodes: { 0: "signed in", 1: "failed; the reason is on stderr" },
  examples: [
    ["pawl auth login", "choose a provider and type a key"],
    ["pass show openai | pawl auth login openai", "read the key from a password store"],
    ["pawl auth login mistral --key-env MISTRAL_KEY", "read the key from a variable"],
    ["pawl auth login https://acme.example", "use your organization's configuration"],
  ],
} as const satisfies CommandForm

export const authListOptions = { ...place, ...format } as const

export const authListForm = {
  usage: ["auth list [options]"],
  notes: ["If a provider has several credentials, the first one listed is used."],
  words: { min: 0, max: 0 },
  options: authListOptions,
  exitCodes: done,
  examples: [["pawl auth list", "keys are never shown"]],
} as const satisfies CommandForm

export const authLogoutOptions = {} as const

export const authLogoutForm = {
  usage: ["auth logout <provider>"],
  notes: [
    "Removes the provider's credentials from this machine. Tokens may stay valid until the provider revokes them.",
  ],
  words: { min: 1, max: 1, missing: "missing provider; list them: pawl auth list" },
  options: authLogoutOptions,
  exitCodes: done,
  examples: [["pawl auth logout openai", "remove the key of openai"]],
} as const satisfies CommandForm
