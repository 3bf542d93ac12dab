import type { PermissionConfig } from "./schema.ts"

type Rules = Exclude<PermissionConfig, string>

/** Tools that write files ask for one and the same permission. */
const PERMISSIONS: Readonly<Record<string, string>> = {
  write: "edit",
  patch: "edit",
  multiedit: "edit",
  apply_patch: "edit",
}

/** The permission that a tool asks for, by the tool's name or a pattern for names. */
export function permissionOfTool(tool: string): string {
  return Object.hasOwn(PERMISSIONS, tool) ? (PERMISSIONS[tool] ?? tool) : tool
}

export interface SwitchedTools {
  /** In the order of the switches. */
  readonly rules: Rules
  /** The switch behind each permission. */
  readonly switches: ReadonlyMap<string, string>
}

/**
 * Switches for tools as rules: one that is off is denied. One that is on gets a rule only after a switch for `*` that
 * is off: being there does not mean to be allowed without a question.
 */
export function switchedTools(tools: Readonly<Record<string, boolean>>): SwitchedTools {
  const rules: Rules = {}
  const switches = new Map<string, string>()
  for (const [tool, isOn] of Object.entries(tools)) {
    const permission = permissionOfTool(tool)
    const isLifted = isOn && rules["*"] === "deny" && rules[permission] === undefined
    if (isOn && !isLifted) continue
    rules[permission] = isOn ? "allow" : "deny"
    switches.set(permission, tool)
  }
  return { rules, switches }
}
