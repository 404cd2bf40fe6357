import { type RawBuilder, sql } from 'kysely'

/**
 * Text for a comparison that ignores case, in Turkish and English. The four letters İ, I, ı and i are folded to i,
 * because Turkish and English disagree about their pairs: `ışık` finds `IŞIK`, and `inverter` finds `INVERTER`. The
 * Turkish letters are listed, so that the result does not depend on the locale of the database.
 */
const folded = (text: RawBuilder<unknown>) => sql<string>`lower(translate(${text}, 'İIıÇĞÖŞÜ', 'iiiçğöşü'))`

/** The text of a request: stored texts are usually composed (NFC), while some systems send decomposed letters. */
const sent = (text: string) => folded(sql`${text.normalize('NFC')}::text`)

/** A column, or an expression in SQL. */
type Searched = string | RawBuilder<unknown>

/**
 * Condition: one of the columns contains the text of `search`, ignoring case. Without a text it is true. `strpos`
 * has no wildcards that would have to be escaped. No index is used: the statement reads the rows of the tenant that
 * the other conditions leave.
 */
export function matchesSearch(search: string | undefined, columns: readonly Searched[]): RawBuilder<boolean> {
  const text = search?.trim()
  if (!text) return sql<boolean>`true`
  const one = (column: Searched) =>
    sql`strpos(${folded(typeof column === 'string' ? sql.ref(column) : column)}, ${sent(text)}) > 0`
  return sql<boolean>`coalesce(${sql.join(columns.map(one), sql` or `)}, false)`
}

/** Condition: the column equals the text, ignoring case. */
export const equalsIgnoringCase = (column: string, text: string): RawBuilder<boolean> =>
  sql<boolean>`${folded(sql.ref(column))} = ${sent(text)}`
