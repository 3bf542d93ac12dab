/** Runs the command line, or prints the help text that it asks for, with nothing loaded that only commands need. */
export async function begin(given: readonly string[]): Promise<void> {
  if (isHelp(given) && (await (await import("./start-help.ts")).startHelp(given))) return
  const { start } = await import("./start.ts")
  await start()
}

function isHelp(given: readonly string[]): boolean {
  return given.includes("--help") || given.includes("-h")
}
