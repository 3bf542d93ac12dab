import type { Benchmark } from "./benchmark.ts"
import { commandLine } from "./cli.ts"
import { retention } from "./context.ts"
import { continuing } from "./continue.ts"
import { deltas } from "./deltas.ts"
import { plugins } from "./plugins.ts"
import { serve } from "./serve.ts"
import { startup } from "./startup.ts"
import { steps } from "./steps.ts"
import { storages } from "./storage.ts"
import { undo } from "./undo.ts"

/** In the order of the table. */
export const all: readonly Benchmark[] = [
  steps,
  deltas,
  startup,
  plugins,
  commandLine,
  continuing,
  storages,
  undo,
  serve,
  retention,
]
