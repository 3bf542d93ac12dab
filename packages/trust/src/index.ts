export {
  type AskTrust,
  decideTrust,
  type Trust,
  type TrustAnswer,
  type TrustOptions,
  type TrustRequest,
} from "./decide-trust.ts"
export { type Effect, effectsOf } from "./effects.ts"
export { type ProjectContent, projectContent } from "./project-content.ts"
export { requireUnchanged } from "./require-unchanged.ts"
export { type TrustFlag, trustOf, type TrustState } from "./trust-of.ts"
export { addTrust, readTrustStore, removeTrust, type TrustEntry } from "./trust-store.ts"
export { withoutUntrusted } from "./without-untrusted.ts"
