/** Returns a tool name that contains no free text. A model may call an unknown tool by any text. */
export function toolName(tool: string): string {
  return /^[\w.-]{1,64}$/.test(tool) ? tool : "unknown"
}
