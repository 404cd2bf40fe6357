/**
 * Comments, quoted texts and names, dollar-quoted bodies, semicolons, and what is between them. A text with escaped
 * quotes (`E'\''`) is not recognized; migrations have none.
 */
const PART = /--[^\n]*|\/\*.*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"|(\$\w*\$).*?\1|;|[^;'"$/-]+|./gs
const BLANK = /^(?:\s+|--.*|\/\*.*\*\/)$/s

/**
 * Splits a file of SQL into its statements, with the comments before each. Citus repeats the definition of a trigger on
 * the shards with the text of the whole request, which therefore must not contain other statements.
 */
export function splitStatements(sql: string): string[] {
  const statements: string[] = []
  let statement = ''
  let isBlank = true
  for (const [part] of sql.matchAll(PART)) {
    if (part !== ';') {
      statement += part
      isBlank &&= BLANK.test(part)
      continue
    }
    if (!isBlank) statements.push(statement.trim())
    statement = ''
    isBlank = true
  }
  return isBlank ? statements : [...statements, statement.trim()]
}
