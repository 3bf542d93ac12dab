import { availableParallelism, loadavg } from "node:os"

/** Conditions that affect the figures. */
export interface Circumstances {
  readonly node: string
  readonly platform: string
  readonly cores: number
  /** Load averages over one minute before the first benchmark and after each one. */
  readonly loads: readonly number[]
  /** Set if runs were fewer and smaller. */
  readonly quick: boolean
  /** Set if the files were in memory, so that durable commits cost nothing. */
  readonly inMemory: boolean
}

export function load(): number {
  return loadavg()[0] ?? 0
}

export function circumstances(of: Pick<Circumstances, "loads" | "quick" | "inMemory">): Circumstances {
  const { version: node, platform, arch } = process
  return { node, platform: `${platform} ${arch}`, cores: availableParallelism(), ...of }
}

export function describe({ node, platform, cores, loads, quick, inMemory }: Circumstances): string {
  const lines = [
    `node ${node} · ${platform} · ${cores} cores · load ${loads.map((value) => value.toFixed(2)).join(" → ")}`,
    "Medians of runs that alternate with what they are compared to. Lower is better, except of shares in %.",
  ]
  if (quick) lines.push("Quick: too few and too short runs to quote.")
  if (inMemory)
    lines.push("The temporary folder is in memory, so commits were not durable: set TMPDIR to a folder on a disk.")
  return lines.join("\n")
}
