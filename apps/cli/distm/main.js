#!/usr/bin/env node
import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import{readFileSync as r}from"node:fs";import{writeSync as n}from"node:fs";import a from"node:module";process.env.MARKS&&(globalThis.__marks=[],process.on("exit",()=>{globalThis.__marks.push(["exit",performance.now()]),n(2,globalThis.__marks.map(e=>e[0]+" "+e[1].toFixed(1)).join(`
`)+`
`)}));var[o=0,i=0]=process.versions.node.split(".").map(Number),[s]=process.argv.slice(2);if(o<22||o===22&&i<22)console.error(`pawl needs Node 22.22 or newer, and this is Node ${process.versions.node}. See https://nodejs.org`),process.exitCode=1;else if(s==="--version"||s==="-v")console.log(JSON.parse(r(new URL("../package.json",import.meta.url),"utf8")).version);else{globalThis.__marks?.push(["main",performance.now()]),a.enableCompileCache?.();let{start:e}=await import("./start-7EJPFTHH.js");await e()}
