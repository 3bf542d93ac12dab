export { blockedRange } from "./address-range.ts"
export { fixedLookup } from "./fixed-lookup.ts"
export { type AllowPrivate, BlockedAddressError, judgedAddresses } from "./judged-addresses.ts"
export { type Resolve, type ResolvedHost, resolveHost, systemResolve } from "./resolve-host.ts"
