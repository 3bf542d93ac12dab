import type { PermissionNeed, Tool, ToolLocation } from "./tool.ts"

/** Returns the permissions that a call needs. Default: the tool's name, for any input. */
export async function callNeeds(
  tool: Pick<Tool, "name" | "permissions">,
  input: unknown,
  location: ToolLocation,
): Promise<readonly PermissionNeed[]> {
  const needs = (await tool.permissions?.(input, location)) ?? []
  return needs.length > 0 ? needs : [{ permission: tool.name, patterns: ["*"] }]
}
