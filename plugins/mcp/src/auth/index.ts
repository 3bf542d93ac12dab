export { AuthError, type AuthErrorKind } from "./auth-error.ts"
export type { AskOptions } from "./ask-people.ts"
export {
  type AuthorizableServer,
  type AuthorizationState,
  type Authorizer,
  type AuthorizerOptions,
  createAuthorizer,
  type LoggedOut,
} from "./authorizer.ts"
export { createFileTokenStore, type TokenStore } from "./token-store.ts"
