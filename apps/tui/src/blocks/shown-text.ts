import { visibleText } from "@pawl/plain-text"

/**
 * Foreign prose in which control characters are written out, so that the terminal obeys none. Keeps what joins emoji and
 * letters, which is part of how they are written.
 */
export function shownText(text: string): string {
  return text
    .replaceAll("\r\n", "\n")
    .split(JOINERS)
    .map((piece, at) => (at % 2 === 1 ? piece : visibleText(piece)))
    .join("")
}

const JOINERS = /([\u200C\u200D])/u
