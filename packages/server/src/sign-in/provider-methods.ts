import type { Engine } from "@pawl/core"
import type { AuthPrompt } from "@pawl/core/plugin"
import { contributedAuth, type ReadContributions } from "@pawl/credentials/contributed"
import { isChoice } from "@pawl/credentials/sign-in-inputs"
import { type SignInMethod, signInMethods } from "@pawl/credentials/sign-in-methods"

/** Returns the sign-in methods of a provider, in the order by which clients number them. */
export function methodsOf({ plugins }: Pick<Engine, "plugins">, providerID: string): readonly SignInMethod[] {
  return signInMethods(contributedAuth(reader(plugins), providerID))
}

/** Returns the sign-in methods of the providers of plugins in OpenCode's form, without functions. */
export function shownMethods({ plugins }: Pick<Engine, "plugins">): Record<string, readonly object[]> {
  const providers = new Set(contributedAuth(reader(plugins)).map(({ value }) => value.provider))
  return Object.fromEntries([...providers].map((id) => [id, methodsOf({ plugins }, id).map(shown)]))
}

function reader(plugins: Engine["plugins"]): ReadContributions {
  return (name) => plugins.contributions(name)
}

function shown({ label, plugin }: SignInMethod): object {
  const { type = "api", prompts } = plugin?.method ?? {}
  return { type, label, ...(Array.isArray(prompts) ? { prompts: prompts.flatMap(shownPrompt) } : {}) }
}

function shownPrompt(prompt: AuthPrompt): object[] {
  if (typeof prompt?.key !== "string" || typeof prompt.message !== "string") return []
  const { key, message, placeholder, when } = prompt
  return [
    {
      ...(isChoice(prompt)
        ? { type: "select", key, message, options: prompt.options }
        : { type: "text", key, message }),
      ...(typeof placeholder === "string" && !isChoice(prompt) ? { placeholder } : {}),
      ...(when ? { when } : {}),
    },
  ]
}
