export { type CORSAnswer, corsAnswer } from "./cors.ts"
export { listenOn, type ListenTarget } from "./listen.ts"
export {
  type Credentials,
  hostRefusal,
  isAuthorized,
  type Refusal,
  type RequestHead,
  type RequestHosts,
  requestHead,
  tokenRefusal,
} from "./request-guard.ts"
export { readToken, type Token } from "./token-file.ts"
