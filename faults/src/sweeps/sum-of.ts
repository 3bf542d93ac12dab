import type { SweepResult } from "./sweep.ts"

/** Merges the results of sweeps over single system calls. Names calls that were never made. */
export function sumOf(results: readonly (SweepResult & { readonly call: string })[]): SweepResult {
  const points = new Map<string, number>()
  for (const result of results) points.set(result.call, (points.get(result.call) ?? 0) + result.points)
  const unhit = [...points].flatMap(([call, count]) => (count === 0 ? [call] : []))
  return {
    points: results.reduce((sum, result) => sum + result.points, 0),
    bad: results.flatMap(({ bad }) => bad),
    ...(unhit.length > 0 ? { note: `never hit: ${unhit.join(", ")}` } : {}),
  }
}
