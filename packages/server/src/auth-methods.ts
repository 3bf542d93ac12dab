interface Contribution {
  readonly value: unknown
}

type Fields = Readonly<Record<string, unknown>>

/** Returns the sign-in methods by provider in OpenCode's form, without functions. */
export function authMethods(contributions: readonly Contribution[]): Record<string, readonly Fields[]> {
  const methods: Record<string, Fields[]> = {}
  for (const { value } of contributions) {
    if (!isFields(value) || typeof value["provider"] !== "string" || !Array.isArray(value["methods"])) continue
    methods[value["provider"]] = (value["methods"] as unknown[]).filter(isFields).map(shown)
  }
  return methods
}

function shown({ type, label, prompts }: Fields): Fields {
  if (!Array.isArray(prompts)) return { type, label }
  const shownPrompts = (prompts as unknown[]).filter(isFields).map((prompt) => {
    return Object.fromEntries(Object.entries(prompt).filter(([, value]) => typeof value !== "function"))
  })
  return { type, label, prompts: shownPrompts }
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null
}
