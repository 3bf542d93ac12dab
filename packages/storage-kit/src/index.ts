export { patched, type PreparedWrite, prepareWrite, requireStorable } from "./prepared-write.ts"
export { currentProcess, isDead, type ProcessIdentity } from "./process-identity.ts"
export { syncParent } from "./sync-parent.ts"
export { createWatchers, type Watchers } from "./watchers.ts"
