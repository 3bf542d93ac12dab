import { type ParseError, printParseErrorCode } from "jsonc-parser"
import { hidePasswords } from "./hide-passwords.ts"
import { shortened } from "./shortened.ts"

type ParseErrorName = ReturnType<typeof printParseErrorCode>

/** Describes a syntax error, and what the parser expected there. */
export function syntaxMessage({ error, offset, length }: ParseError, text: string): string {
  const isEnd = offset >= text.trimEnd().length
  return describe(
    printParseErrorCode(error),
    isEnd ? "the end of the file" : quote(text.slice(offset, offset + length)),
  )
}

function quote(token: string): string {
  const short = shortened(hidePasswords(token))
  return token.startsWith('"') ? short : `"${short}"`
}

function describe(name: ParseErrorName, found: string): string {
  switch (name) {
    case "InvalidSymbol":
      return `Unexpected ${found}. Expected a value; keys and strings stand in double quotes.`
    case "PropertyNameExpected":
      return `Expected a key in double quotes, found ${found}.`
    case "ValueExpected":
      return `Expected a value, found ${found}.`
    case "ColonExpected":
      return `Expected ":" after the key, found ${found}.`
    case "CommaExpected":
      return `Expected "," before ${found}.`
    case "CloseBraceExpected":
      return `Expected "}", found ${found}.`
    case "CloseBracketExpected":
      return `Expected "]", found ${found}.`
    case "EndOfFileExpected":
      return `Expected the end of the file, found ${found}.`
    case "UnexpectedEndOfString":
      return "The string is not closed. Expected a double quote before the end of the line."
    case "UnexpectedEndOfComment":
      return 'The comment is not closed. Expected "*/".'
    case "InvalidNumberFormat":
    case "UnexpectedEndOfNumber":
      return `Expected a number, found ${found}.`
    case "InvalidUnicode":
      return 'Expected four hexadecimal digits after "\\u".'
    case "InvalidEscapeCharacter":
      return 'Expected one of "\\/bfnrtu after the backslash; a backslash itself is written twice.'
    case "InvalidCharacter":
      return "The string holds a control character. Write it as an escape, such as \\t."
    default:
      return `Unexpected ${found}.`
  }
}
