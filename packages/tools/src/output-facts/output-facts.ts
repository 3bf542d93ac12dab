import type { OutputFacts } from "@pawl/core/host"
import { errorLine } from "./error-line.ts"
import { testRun } from "./failing-tests.ts"

/** Finds failed tests and errors in the outputs of common test runners, programs and runtimes. */
export const outputFacts: OutputFacts = { testRun, errorLine }
