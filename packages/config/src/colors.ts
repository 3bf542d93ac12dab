/** The color names of the configuration, as RGB in hexadecimal. */
const NAMED: Readonly<Record<string, string>> = {
  ...{ black: "000000", white: "ffffff", gray: "808080", grey: "808080", silver: "c0c0c0" },
  ...{ red: "e05561", maroon: "a03040", pink: "ff87af", salmon: "fa8072", coral: "ff7f50", crimson: "dc143c" },
  ...{ orange: "ff8700", gold: "ffd700", yellow: "e5c07b", brown: "a0522d", olive: "808000", khaki: "d7d787" },
  ...{ green: "8cc265", lime: "87ff00", teal: "00afaf", cyan: "42b3c2", aqua: "42b3c2", turquoise: "40e0d0" },
  ...{ blue: "4aa5f0", navy: "5f87d7", indigo: "875fd7", violet: "af87ff", purple: "af5fd7", magenta: "c162de" },
  ...{ fuchsia: "ff5fff", lavender: "d7d7ff" },
  // Names used by OpenCode's themes.
  ...{ primary: "ff8700", secondary: "4aa5f0", accent: "af87ff", success: "8cc265", warning: "e5c07b" },
  ...{ error: "e05561", info: "42b3c2" },
}

/** Matches a color name, `#rgb` or `#rrggbb`. Ignores case. */
export const COLOR = new RegExp(`^(?:#(?:[\\da-f]{3}|[\\da-f]{6})|${Object.keys(NAMED).join("|")})$`, "i")

/** Returns red, green and blue, from 0 to 255; undefined for an unknown color. */
export function rgbOf(color: string): readonly [number, number, number] | undefined {
  if (!COLOR.test(color)) return undefined
  const written = color.startsWith("#") ? color.slice(1) : (NAMED[color.toLowerCase()] ?? "")
  const hex = written.length === 3 ? written.replaceAll(/./g, "$&$&") : written
  const at = (start: number) => Number.parseInt(hex.slice(start, start + 2), 16)
  return [at(0), at(2), at(4)]
}
