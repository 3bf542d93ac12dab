import { defineConfig } from "tsup"

/** The build of a library package: one ESM file per entry, declarations by tsc. */
export function library(entry: string[] = ["src/index.ts"]) {
  return defineConfig({
    entry,
    format: ["esm"],
    target: "node22",
    dts: false,
    // tsup strips the prefix by default, and `node:sqlite` has no other name.
    removeNodeProtocol: false,
    sourcemap: true,
    clean: true,
  })
}
