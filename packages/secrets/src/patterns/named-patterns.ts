import { isNoSecret } from "./no-secret.ts"
import type { SecretPattern } from "./secret-pattern.ts"

const PASSWORD =
  "(?:password|passwd|passphrase|passcode|passwort|kennwort|mot de passe|contrase\\u00f1a|senha|(?<![a-z])(?:pass|pwd|pw))"
const KEY = "(?:api|access|account|secret|private|auth|encryption|signing|service)[ _-]?key"
/** The end of a name whose value is a secret: of `dbPassword`, `X_API_KEY`, `client_secret`. */
const NAME = `(?:${PASSWORD}|secret|token|credentials?|${KEY})(?:[_-](?:base|id|b64))?(?![a-z])`
/** Behind quotation marks and in settings also `*_KEY`. */
const NAME_OR_KEY = `(?:${NAME}|(?<=[a-z\\d][_-])(?:key|pat)(?:[_-](?:base|id|b64))?(?![a-z]))`

const VALUE = "(?<secret>[^\\s\"'`,;&#(){}<>\\\\]{3,})"
/** In code the same names stand before types, variables and calls. */
const NO_CODE = "(?!\\$|[\\w.]{1,80}\\()"
const NO_MEMBER = "(?![\\w$]{1,80}\\.[A-Za-z_])"
const UNLIKE_A_WORD = `${NO_CODE}(?=[^\\s\\d!@%^*+=/]{0,100}[\\d!@%^*+=/])`
/** A value of a sentence, which may end with it. */
const SAID = "[\"'`]?(?<secret>[^\\s\"'`,;<>(){}]{0,200}[^\\s\"'`,;<>(){}.!?:])"
/** Up to the same quotation mark, which stands as deep in JSON as the first. */
const QUOTED = "(?<escape>\\\\{0,7})(?<quote>[\"'`])(?<secret>(?:(?!\\k<escape>\\k<quote>)[^\\n]){3,500})"

/** A line of what env prints. */
const LINE = "[A-Za-z_]\\w{0,80}=[^\\n]{0,4000}"
const REST = "=(?<secret>[^\\s\"'$][^\\r\\n]{2,})"
const ENV_NAME =
  "(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|PASS|PWD|PAT|CREDENTIALS?)(?:_(?:BASE|ID|B64))?(?<=_[A-Z\\d_]{1,60}|PASSW\\w+|SECRET|APIKEY)"

function named(pattern: string, flags = "gi"): SecretPattern {
  return { kind: "secret.assignment", pattern: new RegExp(pattern, flags), unless: isNoSecret }
}

/** Secrets that are known by the name before them. */
export const namedPatterns: readonly SecretPattern[] = [
  // The output of env: whole lines, between others of their kind.
  named(`^(?<=\\n${LINE}\\r?\\n)[A-Z\\d_]{0,60}?${ENV_NAME}${REST}`, "gm"),
  named(`^[A-Z\\d_]{0,60}?${ENV_NAME}${REST}(?=\\r?\\n${LINE})`, "gm"),
  // The same, as JSON writes it.
  // An operator of a shell behind the value stays.
  named(`${ENV_NAME}=(?<secret>(?!["'$])(?:(?!\\\\[nr]|[;&|)]+(?:[\\s"'\`]|$))[^\\s"'\`]){3,})`, "g"),
  named(`(?:password|pwd)=(?<secret>[^;"'\\n=]{1,100});(?=[A-Z][\\w ]{1,40}=|$)`),
  named(`^[ \\t]*(?:ENV|setx)[ \\t]+\\w{0,60}?${NAME_OR_KEY}[ \\t]+(?<secret>[^\\s=]{3,})`, "gim"),
  named(`${NAME_OR_KEY}\\\\{0,7}["'\`]?\\]?\\s{0,4}(?:=>|:=|[:=,])\\s{0,4}[bfru]{0,2}${QUOTED}`),
  named(`\\b(?:set|with)\\w{0,40}?${NAME}\\(\\s{0,4}${QUOTED}`),
  // Files of Docker and Kubernetes.
  named(`["']auth["']\\s{0,4}:\\s{0,4}["'](?<secret>[A-Za-z\\d+/]{8,}={0,2})["']`),
  named(`\\bclient-key-data:\\s{1,4}(?<secret>[A-Za-z\\d+/=]{8,})`),
  named(`${NAME}["'] value=["'](?<secret>[^"'\\n]{3,})`),
  named(`<[\\w.-]{0,40}?${NAME}>(?<secret>[^<\\s]{3,})<`),
  // Settings, query strings and options.
  named(`${NAME}=${NO_CODE}${VALUE}`),
  named(`--[\\w-]{0,40}?${NAME}[ \\t]["']?(?!-)${NO_CODE}${VALUE}`),
  named(`${NAME}[ \\t]{0,4}(?:[:=]|->)[ \\t]{1,4}${UNLIKE_A_WORD}${VALUE}`),
  // A line of its own, as in YAML: also what could be a word.
  named(
    `^[\\w \\t./"'-]{0,40}?${NAME}[ \\t]{0,4}[:=][ \\t]{1,4}${NO_CODE}${NO_MEMBER}${VALUE}[ \\t]*(?:[ \\t]#[^\\n]{0,500})?\\r?$`,
    "gim",
  ),
  // What people say.
  named(`\\b${NAME}[ \\t](?:is|was)[ \\t](?<quote>["'\`])(?<secret>[^\\n"'\`]{3,200})\\k<quote>`),
  named(`\\b${PASSWORD}[ \\t](?:is|was|ist)[ \\t]${SAID}`),
  named(`\\b${NAME}[ \\t](?:is|was)[ \\t](?=[^\\s\\d]{0,100}\\d)${SAID}`),
]

/** The same where the value was cut off: it may lack what else tells it from a word, and its closing quotation mark. */
export const cutNamed: readonly SecretPattern[] = [
  named(
    `${NAME_OR_KEY}\\\\{0,7}["'\`]?\\]?\\s{0,4}(?:=>|:=|[:=,])\\s{0,4}[bfru]{0,2}\\\\{0,7}["'\`](?<secret>[^\\n"'\`]+)$`,
    "i",
  ),
  named(`${NAME}[ \\t]{0,4}(?:[:=]|->)[ \\t]{0,4}${NO_CODE}(?<secret>[^\\s"'\`,;&#(){}<>\\\\]+)$`, "i"),
  named(`--[\\w-]{0,40}?${NAME}[ \\t]["']?(?!-)${NO_CODE}(?<secret>[^\\s"'\`]+)$`, "i"),
  named(`\\b${NAME}[ \\t](?:is|was|ist)[ \\t](?<quote>["'\`]?)(?<secret>[^\\n"'\`]{1,200})$`, "i"),
  named(`<[\\w.-]{0,40}?${NAME}>(?<secret>[^<\\s]+)$`, "i"),
]
