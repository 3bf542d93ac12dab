import { expect, it } from "vitest"
import { mappedPath, mappedURL } from "./path-mapping.ts"

const mappings = [
  { from: "/home/ada", to: "/Users/eve" },
  { from: "/home/ada/code/", to: "/srv" },
]

it.each([
  ["/home/ada", "/Users/eve"],
  ["/home/ada/x", "/Users/eve/x"],
  ["/home/adam/x", "/home/adam/x"],
  ["/home/ada/code/a/b.ts", "/srv/a/b.ts"],
  ["/home/ada/codeshop", "/Users/eve/codeshop"],
  ["home/ada", "home/ada"],
  ["/mnt/home/ada", "/mnt/home/ada"],
])("maps whole components of %s, by the longest prefix", (path, mapped) => {
  expect(mappedPath(path, mappings)).toBe(mapped)
})

it("maps between systems with their separators", () => {
  expect(mappedPath("C:\\Users\\ada\\x\\y", [{ from: "C:\\Users\\ada", to: "/home/ada" }])).toBe("/home/ada/x/y")
  expect(mappedPath("/home/ada/x/y", [{ from: "/home/ada", to: "C:\\Users\\ada" }])).toBe("C:\\Users\\ada\\x\\y")
})

it("maps from and to the root", () => {
  expect(mappedPath("/a/b", [{ from: "/", to: "/mnt" }])).toBe("/mnt/a/b")
  expect(mappedPath("/mnt", [{ from: "/mnt", to: "/" }])).toBe("/")
  expect(mappedPath("a/b", [{ from: "/", to: "/mnt" }])).toBe("a/b")
})

it.each([
  ["file:///home/ada/a%20b.png?x=1#y", "file:///Users/eve/a%20b.png?x=1#y"],
  ["file:///home/adam/a.png", "file:///home/adam/a.png"],
  ["https://example.com/home/ada", "https://example.com/home/ada"],
  ["data:text/plain,/home/ada", "data:text/plain,/home/ada"],
  ["file:///%E0%A4%A", "file:///%E0%A4%A"],
])("maps the path of %s where it is a file", (url, mapped) => {
  expect(mappedURL(url, mappings)).toBe(mapped)
})

it("maps the URL of a Windows path", () => {
  const windows = { from: "C:\\Users\\ada", to: "/home/ada" }
  expect(mappedURL("file:///C:/Users/ada/x.png", [windows])).toBe("file:///home/ada/x.png")
  expect(mappedURL("file:///home/ada/x.png", [{ from: windows.to, to: windows.from }])).toBe(
    "file:///C:/Users/ada/x.png",
  )
})
