/**
 * What a tool is called where texts must not go: a model may call one that nobody has offered, and what it calls it is
 * written by the model.
 */
export function toolName(tool: string): string {
  return /^[\w.-]{1,64}$/.test(tool) ? tool : "unknown"
}
