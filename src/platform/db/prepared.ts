import { sql } from 'kysely'
import type { QueryConfig } from 'pg'
import { PREPARED_STATEMENTS_MAX } from './limits.ts'

const MARK = '/* prepared */'

/**
 * The end of a statement of Kysely that each connection prepares once (`modifyEnd`), because planning it costs more
 * than executing it. The server chooses between a plan for all values and one for the given ones.
 */
export const PREPARED = sql.raw(MARK)

/** Names by text, of the process: a connection keeps each name for one text. */
const names = new Map<string, string>()

/** The first PREPARED_STATEMENTS_MAX marked texts have names; others are planned with each execution. */
function nameOf(text: string): string | undefined {
  const known = names.get(text)
  if (known !== undefined || names.size >= PREPARED_STATEMENTS_MAX) return known
  const name = `prepared_${names.size + 1}`
  names.set(text, name)
  return name
}

/** A statement as the driver receives it; one that ends with PREPARED has a name. */
export function namedStatement(text: string, parameters: readonly unknown[]): QueryConfig {
  const name = text.endsWith(MARK) ? nameOf(text) : undefined
  return { text, values: [...parameters], ...(name !== undefined && { name }) }
}
