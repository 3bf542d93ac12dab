import { spawnSync } from "node:child_process"
import { join } from "node:path"

/** Benchmarks measure the built packages. If they are built already, this takes a second. */
export default function setup(): void {
  const options = ["--filter=@pawl/bench^...", "--output-logs=errors-only"]
  const turbo = spawnSync("turbo", ["run", "build", ...options], {
    cwd: join(import.meta.dirname, "../.."),
    encoding: "utf8",
  })
  if (turbo.status !== 0) throw new Error(`The packages could not be built:\n${turbo.stdout}${turbo.stderr}`)
}
