import { unavailable } from "../bun/unavailable.ts"

// The replacement of `bun:ffi`: using a function throws an error that it is not available.

export const CFunction = unavailable("CFunction of bun:ffi")
export const CString = unavailable("CString of bun:ffi")
export const JSCallback = unavailable("JSCallback of bun:ffi")
export const cc = unavailable("cc of bun:ffi")
export const dlopen = unavailable("dlopen of bun:ffi")
export const linkSymbols = unavailable("linkSymbols of bun:ffi")
export const ptr = unavailable("ptr of bun:ffi")
export const read = {}
export const toArrayBuffer = unavailable("toArrayBuffer of bun:ffi")
export const toBuffer = unavailable("toBuffer of bun:ffi")
export const viewSource = unavailable("viewSource of bun:ffi")
export const suffix = process.platform === "darwin" ? "dylib" : process.platform === "win32" ? "dll" : "so"
/** Types by name, as numbers. */
export const FFIType: Readonly<Record<string, number>> = {}
