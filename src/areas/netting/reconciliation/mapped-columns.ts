import { type Cell, plain } from '../../../platform/tables/index.ts'

/**
 * Columns that a mapping corrects, by the normalized header, or by the normalized path of an element of an e-Fatura;
 * null: the column is not used.
 */
export type MappedColumns = ReadonlyMap<string, string | null>

export interface AssignedColumns<Column extends string> {
  /** The column by the index of its cell. */
  readonly columns: ReadonlyMap<number, Column>
  /** Headers that name no column. */
  readonly ignored: readonly string[]
  /** Columns that a second header names. */
  readonly repeated: readonly { readonly header: string; readonly column: Column }[]
}

interface HeaderRules<Column extends string> {
  readonly mapped: MappedColumns
  /** The column of a known header, normalized. */
  readonly known: (header: string) => Column | undefined
  readonly isColumn: (name: string) => name is Column
}

/**
 * Assigns columns to the cells of a header: corrected ones first, so that a corrected header takes a column away from
 * the header whose name is known.
 */
export function assignColumns<Column extends string>(
  cells: readonly Cell[],
  { mapped, known, isColumn }: HeaderRules<Column>,
): AssignedColumns<Column> {
  const headers = cells.flatMap((cell, index) =>
    cell.kind === 'text' ? [{ index, text: cell.text, header: plain(cell.text) }] : [],
  )
  const columns = new Map<number, Column>()
  const taken = new Map<Column, 'mapped' | 'known'>()
  for (const { index, header } of headers) {
    const name = mapped.get(header)
    if (typeof name !== 'string' || !isColumn(name) || taken.has(name)) continue
    columns.set(index, name)
    taken.set(name, 'mapped')
  }
  const ignored: string[] = []
  const repeated: { header: string; column: Column }[] = []
  for (const { index, text, header } of headers) {
    if (columns.has(index)) continue
    const column = mapped.has(header) ? undefined : known(header)
    if (column === undefined || taken.get(column) === 'mapped') ignored.push(text)
    else if (taken.has(column)) repeated.push({ header: text, column })
    else {
      columns.set(index, column)
      taken.set(column, 'known')
    }
  }
  return { columns: new Map([...columns].sort(([a], [b]) => a - b)), ignored, repeated }
}
