/** Returns the input that the parent passed to `openChild`. */
export function readInput(): unknown {
  return JSON.parse(process.argv[2] ?? "null")
}
