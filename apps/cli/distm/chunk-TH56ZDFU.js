import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
var r=class extends Error{name="UsageError";hint;constructor(n,e){super(n),this.hint=e}};export{r as a};
