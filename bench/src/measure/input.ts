/** What the parent gave to this process with `openChild`. */
export function readInput(): unknown {
  return JSON.parse(process.argv[2] ?? "null")
}
