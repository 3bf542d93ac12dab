interface Contribution {
  readonly value: unknown
}

type Fields = Readonly<Record<string, unknown>>

/** How people can sign in, by provider, as OpenCode's clients know it: without what runs. */
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
  const told = (prompts as unknown[]).filter(isFields).map((prompt) => {
    return Object.fromEntries(Object.entries(prompt).filter(([, value]) => typeof value !== "function"))
  })
  return { type, label, prompts: told }
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null
}
