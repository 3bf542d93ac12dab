import { expect, it } from "vitest"
import { isSameOrigin, pageURL } from "./page-url.ts"

it.each([
  ["HTTP://Example.COM:80/a/../b#part", "http://example.com/b"],
  ["https://example.com.:443", "https://example.com/"],
  ["https://example.com:8443/?q=ä", "https://example.com:8443/?q=%C3%A4"],
  ["http://bücher.example", "http://xn--bcher-kva.example/"],
  ["http://0x7f.1/", "http://127.0.0.1/"],
  ["http://@example.com/", "http://example.com/"],
])("writes %s as permissions judge it", (text, expected) => {
  const page = pageURL(text)
  expect(page.type === "page" ? page.url.href : page.reason).toBe(expected)
})

it.each([
  ["http://a.example/x", "http://a.example/y", true],
  ["http://a.example/", "https://a.example/", true],
  ["https://a.example/", "http://a.example/", false],
  ["http://a.example/", "https://a.example:8443/", false],
  ["http://a.example:8080/", "https://a.example/", false],
  ["http://a.example/", "http://b.a.example/", false],
  ["http://a.example:81/", "http://a.example:82/", false],
])("knows whether %s may lead to %s by itself: %s", (from, to, expected) => {
  expect(isSameOrigin(new URL(from), new URL(to))).toBe(expected)
})
