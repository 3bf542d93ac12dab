/** Words after "password is", "password:" or "--password" that are not passwords. */
const WORDS = new Set(
  [
    // Types and values of code.
    "string number boolean bool str bytes any unknown null undefined none nil true false void object buffer secret text varchar",
    "await new this self options config process required optional nullable default self env value values",
    // Sentences about secrets.
    "a an the is are was be not no yes on off in to of for from and or as at by it its that this so too very only still",
    "already also always never now then here there your our my their his her his what which same",
    "wrong right correct incorrect valid invalid empty blank missing needed necessary set unset reset changed unchanged",
    "stored saved kept hashed encrypted salted hidden shown visible masked redacted removed sent read written checked",
    "verified validated accepted rejected denied refused expired revoked rotated generated created updated deleted ignored",
    "used unused unknown known secure insecure weak strong long short safe plain protected compromised leaked exposed",
    "supported unsupported disabled enabled available provided passed given asked prompted entered typed taken",
    "option options flag argument parameter field key token tokens password passwords passphrase secrets credentials",
    "user username name file path string. must should can could may might will would has have had does did needs",
    "ok okay fail failed failing passing error errors todo tbd redacted example placeholder changeme omitted see",
  ].flatMap((line) => line.split(" ")),
)

/** Returns true if a value after a secret's name is not a secret: a word of a sentence, a type, a variable, a path. */
export function isNoSecret(value: string): boolean {
  if (WORDS.has(value.toLowerCase().replace(/[.:!?\u2026]+$/, "")) || isPlaceholder(value)) return true
  return /^(?:process\.env|os\.environ|import\.meta)\b/.test(value) || /^(?:~|\.{1,2})?\//.test(value)
}

/** Variables, placeholders of manuals, and short numbers. */
export function isPlaceholder(value: string): boolean {
  return /^\d{1,5}$/.test(value) || /^(?:\$[\w{(]|%\w+%|\{\{|<|\.{2,}|\*+$|x+$|\u2026)/i.test(value)
}
