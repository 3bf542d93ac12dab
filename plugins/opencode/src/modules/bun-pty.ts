import { unavailable } from "../bun/unavailable.ts"

// What plugins get for `bun-pty`, which loads a library that only Bun can: it says so when it is used.

export const spawn = unavailable("spawn of bun-pty")
export const Terminal = unavailable("Terminal of bun-pty")
