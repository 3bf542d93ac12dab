export { diskState } from "./disk-state.ts"
export { holderOf, isFree, type LocalLease } from "./local-lease.ts"
export { patched, type PreparedWrite, prepareWrite, requireStorable } from "./prepared-write.ts"
export {
  currentProcess,
  isDead,
  lifeOnAnyMachine,
  type ProcessIdentity,
  type ProcessLife,
  processName,
  toProcessIdentity,
} from "./process-identity.ts"
export { syncParent } from "./sync-parent.ts"
export { createWatchers, type Watchers } from "./watchers.ts"
export { missingPaths, removeUnused } from "./missing-paths.ts"
