import type { CommandForm } from "../arguments/command.ts"
import { done, format } from "../command-options.ts"

const place = { dir: { value: "<directory>", summary: "with the plugins there instead of here" } } as const

export const authLoginOptions = {
  method: {
    value: "<name>",
    summary: "the way to sign in, where there are several: its number, or a part of its name",
  },
  yes: { short: "y", summary: "of an organization: accept what it sets without a question" },
  "key-env": { value: "<NAME>", summary: "keep the key that this environment variable holds" },
  ...place,
} as const

export const authLoginForm = {
  usage: ["auth login [options] [provider]", "auth login [options] <https-url>"],
  notes: [
    "Keeps a key for a provider, or signs in the way that a plugin offers. A key is typed without being shown, or piped in; it is " +
      "no part of a command line.",
    "An address is one of an organization: what it configures is shown, and counts below your own configuration once you accept it.",
    "It is kept in auth.json of the data directory, for you alone to read, and used where the configuration names no key.",
  ],
  words: { min: 0, max: 1 },
  options: authLoginOptions,
  exitCodes: { 0: "you are signed in", 1: "it failed; the reason is on stderr" },
  examples: [
    ["pawl auth login", "choose a provider, and type a key"],
    ["pass show openai | pawl auth login openai", "a key from a password store"],
    ["pawl auth login mistral --key-env MISTRAL_KEY", "one from the environment"],
    ["pawl auth login https://acme.example", "the configuration of your organization"],
  ],
} as const satisfies CommandForm

export const authListOptions = { ...place, ...format } as const

export const authListForm = {
  usage: ["auth list [options]"],
  notes: [
    "The providers that there is a key for, or that somebody has signed in to, and where it comes from: the first one named is used.",
  ],
  words: { min: 0, max: 0 },
  options: authListOptions,
  exitCodes: done,
  examples: [["pawl auth list", "never shows a key"]],
} as const satisfies CommandForm

export const authLogoutOptions = {} as const

export const authLogoutForm = {
  usage: ["auth logout <provider>"],
  notes: ["Removes what is kept for the provider. What its servers gave out may count until they take it back."],
  words: { min: 1, max: 1, missing: "Of which provider? pawl auth list shows them." },
  options: authLogoutOptions,
  exitCodes: done,
  examples: [["pawl auth logout openai", "forget its key"]],
} as const satisfies CommandForm
