import type { TestServer } from "@pawl/postgres-test-server"
import { cutAnswers } from "../providers/cut-answers.ts"
import { spoilAnswers } from "../providers/spoil-answers.ts"
import type { Subject } from "../subjects/subject.ts"
import { contend } from "./contend.ts"
import { cutPowerTwice } from "./cut-power-twice.ts"
import { cutPower } from "./cut-power.ts"
import { failCalls } from "./fail-calls.ts"
import { fightOverLeases } from "./fight-over-leases.ts"
import { fillDisk } from "./fill-disk.ts"
import { killAtCalls } from "./kill-at-calls.ts"
import { killAtRandom } from "./kill-at-random.ts"
import { stopServer } from "./stop-server.ts"
import type { Sweep } from "./sweep.ts"

/** Returns all sweeps that apply to the storages, storage by storage. */
export function allSweeps(subjects: readonly Subject[], server: TestServer | undefined): Sweep[] {
  return subjects.flatMap((subject) => [
    killAtCalls(subject),
    killAtRandom(subject),
    ...(subject.kind === "files"
      ? [cutPower(subject), cutPowerTwice(subject), failCalls(subject), fillDisk(subject)]
      : []),
    ...(subject.kind === "server" && server ? [stopServer(subject, server)] : []),
    contend(subject),
    fightOverLeases(subject),
    // Faults of models do not depend on the storage.
    ...(subject.name === "sqlite" ? [spoilAnswers(subject), cutAnswers(subject)] : []),
  ])
}
