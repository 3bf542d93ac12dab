import type { PermissionNeed, Tool, ToolPlace } from "./tool.ts"

/** What a call needs. If the tool says nothing of it, the call has to be allowed by the tool's name. */
export async function callNeeds(
  tool: Pick<Tool, "name" | "permissions">,
  input: unknown,
  place: ToolPlace,
): Promise<readonly PermissionNeed[]> {
  const needs = (await tool.permissions?.(input, place)) ?? []
  return needs.length > 0 ? needs : [{ permission: tool.name, patterns: ["*"] }]
}
