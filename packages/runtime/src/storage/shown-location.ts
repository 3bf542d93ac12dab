import { hidePasswords } from "@pawl/config/hide-passwords"
import type { Storage } from "@pawl/core/storage"
import { plainLine } from "@pawl/plain-text"

/** Returns the location of the storage without passwords. */
export function shownLocation({ location }: Pick<Storage, "location">): string {
  return hidePasswords(plainLine(location))
}
