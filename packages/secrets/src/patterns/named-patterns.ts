import { isNoSecret } from "./no-secret.ts"
import type { SecretPattern } from "./secret-pattern.ts"

const PASSWORD =
  "(?:password|passwd|passphrase|passcode|passwort|kennwort|mot de passe|contrase\\u00f1a|senha|(?<![a-z])(?:pass|pwd|pw))"
const KEY = "(?:api|access|account|secret|private|auth|encryption|signing|service)[ _-]?key"
/** End of a name whose value is a secret: `dbPassword`, `X_API_KEY`, `client_secret`. */
const NAME = `(?:${PASSWORD}|secret|token|credentials?|${KEY})(?:[_-](?:base|id|b64))?(?![a-z])`
/** Also `*_KEY`, which counts after quotes and in settings. */
const NAME_OR_KEY = `(?:${NAME}|(?<=[a-z\\d][_-])(?:key|pat)(?:[_-](?:base|id|b64))?(?![a-z]))`

const VALUE = "(?<secret>[^\\s\"'`,;&#(){}<>\\\\]{3,})"
/** In code the same names precede types, variables and calls. */
const NO_CODE = "(?!\\$|[\\w.]{1,80}\\()"
const NO_MEMBER = "(?![\\w$]{1,80}\\.[A-Za-z_])"
const UNLIKE_A_WORD = `${NO_CODE}(?=[^\\s\\d!@%^*+=/]{0,100}[\\d!@%^*+=/])`
/** A value in a sentence, which may end with it. */
const SENTENCE_VALUE = "[\"'`]?(?<secret>[^\\s\"'`,;<>(){}]{0,200}[^\\s\"'`,;<>(){}.!?:])"
/** Up to the same quote, escaped as deeply in JSON as the first one. */
const QUOTED = "(?<escape>\\\\{0,7})(?<quote>[\"'`])(?<secret>(?:(?!\\k<escape>\\k<quote>)[^\\n]){3,500})"

/** A line in the output of env. */
const LINE = "[A-Za-z_]\\w{0,80}=[^\\n]{0,4000}"
const REST = "=(?<secret>[^\\s\"'$][^\\r\\n]{2,})"
const ENV_NAME =
  "(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|PASS|PWD|PAT|CREDENTIALS?)(?:_(?:BASE|ID|B64))?(?<=_[A-Z\\d_]{1,60}|PASSW\\w+|SECRET|APIKEY)"

function named(pattern: string, flags = "gi"): SecretPattern {
  return { kind: "secret.assignment", pattern: new RegExp(pattern, flags), unless: isNoSecret }
}

/** Secrets that are recognized by the name before them. */
export const namedPatterns: readonly SecretPattern[] = [
  // Output of env: whole lines next to other such lines.
  named(`^(?<=\\n${LINE}\\r?\\n)[A-Z\\d_]{0,60}?${ENV_NAME}${REST}`, "gm"),
  named(`^[A-Z\\d_]{0,60}?${ENV_NAME}${REST}(?=\\r?\\n${LINE})`, "gm"),
  // The same, within JSON.
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
  // A separate line, as in YAML; its value may look like a word.
  named(
    `^[\\w \\t./"'-]{0,40}?${NAME}[ \\t]{0,4}[:=][ \\t]{1,4}${NO_CODE}${NO_MEMBER}${VALUE}[ \\t]*(?:[ \\t]#[^\\n]{0,500})?\\r?$`,
    "gim",
  ),
  // Sentences of users.
  named(`\\b${NAME}[ \\t](?:is|was)[ \\t](?<quote>["'\`])(?<secret>[^\\n"'\`]{3,200})\\k<quote>`),
  named(`\\b${PASSWORD}[ \\t](?:is|was|ist)[ \\t]${SENTENCE_VALUE}`),
  named(`\\b${NAME}[ \\t](?:is|was)[ \\t](?=[^\\s\\d]{0,100}\\d)${SENTENCE_VALUE}`),
]

/**
 * Named secrets whose value was cut off, so they may lack the closing quote and what distinguishes them from a word.
 */
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
