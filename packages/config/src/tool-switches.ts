import type { PermissionConfig } from "./schema.ts"

type Rules = Exclude<PermissionConfig, string>

/** Permissions of tools whose permission has another name: all tools that write files ask for `edit`. */
const PERMISSIONS: Readonly<Record<string, string>> = {
  write: "edit",
  patch: "edit",
  multiedit: "edit",
  apply_patch: "edit",
}

/** Returns the permission of a tool, or of a pattern for tool names. */
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
 * Converts switches for tools to rules. A disabled tool is denied. An enabled one gets a rule only if an earlier switch
 * disables `*`, since enabling a tool does not allow its calls without asking.
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
