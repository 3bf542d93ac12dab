/** Converts switches of tools to permissions. Several tools share one permission. */
export function toolRules(tools: Readonly<Record<string, unknown>>): Record<string, "allow" | "deny"> {
  return Object.fromEntries(
    Object.entries(tools).map(([name, isOn]) => {
      const permission = ["write", "edit", "patch", "multiedit"].includes(name) ? "edit" : name
      return [permission, isOn === false ? ("deny" as const) : ("allow" as const)]
    }),
  )
}
