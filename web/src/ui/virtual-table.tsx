/**
 * A table of a long list, of which only the rows in view are drawn and read. Rows have one height. For a screen reader
 * the table has all its rows: `aria-rowcount` and `aria-rowindex`. The frame scrolls by keyboard; from the link of a
 * row the arrow keys, Home and End move to that of another one, also out of view.
 */
import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, memo, type RefObject, useEffect, useRef, useState } from 'react'
import type { RowRange } from '../kernel/row-pages.ts'
import { useText } from '../kernel/text.tsx'
import type { Column } from './data-table.tsx'
import { ExportMenu, type TableReport } from './export-menu.tsx'
import { ScrollFrame } from './scroll-frame.tsx'
import { UI_TEXTS } from './texts.ts'

const ROW_PX = 44
/** On a phone: the name of a row, and two columns in each line below it. */
const LINE_PX = 28
const PHONE = '(max-width: 36rem)'
/** Rows above and below the view, which appear while the next ones are drawn. */
const OVERSCAN = 12

export interface SizedColumn<Row> extends Column<Row> {
  /** Share of the width: a column does not change while rows of other texts scroll into view. */
  readonly share: number
}

interface VirtualTableProps<Row> {
  readonly caption: string
  /** The same array while nothing else changes, so that rows that are drawn are not drawn again. */
  readonly columns: readonly SizedColumn<Row>[]
  readonly total: number
  /** Undefined: the row has not been read. */
  readonly rowAt: (index: number) => Row | undefined
  readonly empty: string
  /** Called with the rows that are drawn. */
  readonly onRange: (range: RowRange) => void
  readonly report: TableReport | null
}

export function VirtualTable<Row>(props: VirtualTableProps<Row>) {
  const { caption, columns, total, rowAt, empty, onRange, report } = props
  const frame = useRef<HTMLElement>(null)
  // The width decides when the table is opened, for the heights as well as for the styles.
  const [isPhone] = useState(() => matchMedia(PHONE).matches)
  const rowPx = isPhone ? ROW_PX + Math.ceil((columns.length - 1) / 2) * LINE_PX : ROW_PX
  const virtualizer = useVirtualizer({
    count: total,
    getScrollElement: () => frame.current,
    estimateSize: () => rowPx,
    overscan: OVERSCAN,
    // The rows beyond the view are there before they are needed: a scroll does not wait for the next ones.
    useFlushSync: false,
  })
  const items = virtualizer.getVirtualItems()
  const range = { from: items[0]?.index ?? 0, to: (items.at(-1)?.index ?? -1) + 1 }
  const { from, to } = range
  useEffect(() => onRange({ from, to }), [from, to, onRange])
  const press = useRowKeys(frame, { total, from, to, scrollTo: (index) => virtualizer.scrollToIndex(index) })
  const shares = columns.reduce((sum, { share }) => sum + share, 0)
  return (
    <div className="table-block">
      {report && <ExportMenu caption={caption} report={report} />}
      <ScrollFrame
        ref={frame}
        className={isPhone ? 'virtual lines' : 'virtual'}
        label={caption}
        onKeyDown={press}
      >
        <table className="table" aria-rowcount={total + 1} style={{ '--row-height': `${rowPx}px` }}>
          <caption className="visually-hidden">{caption}</caption>
          <thead>
            <tr aria-rowindex={1}>
              {columns.map(({ id, title, share, isNumber }) => (
                <th
                  key={id}
                  scope="col"
                  className={isNumber ? 'number' : undefined}
                  style={{ width: `${(share / shares) * 100}%` }}
                >
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <Spacer height={from * rowPx} />
          <tbody>
            {total === 0 && (
              <tr>
                <td colSpan={columns.length} className="muted">
                  {empty}
                </td>
              </tr>
            )}
            {items.map(({ index }) => (
              <VirtualRow key={index} columns={columns} row={rowAt(index)} index={index} />
            ))}
          </tbody>
          <Spacer height={(total - to) * rowPx} />
        </table>
      </ScrollFrame>
    </div>
  )
}

/** The height of the rows that are not drawn. */
function Spacer({ height }: { readonly height: number }) {
  if (height <= 0) return null
  return (
    <tbody className="spacer" aria-hidden="true">
      <tr>
        <td style={{ height }} />
      </tr>
    </tbody>
  )
}

interface VirtualRowProps<Row> {
  readonly columns: readonly SizedColumn<Row>[]
  readonly row: Row | undefined
  readonly index: number
}

function PlainRow<Row>({ columns, row, index }: VirtualRowProps<Row>) {
  const t = useText()
  return (
    <tr aria-rowindex={index + 2} data-index={index}>
      {row === undefined ? (
        <td colSpan={columns.length} className="muted">
          {t(UI_TEXTS.UI_LOADING())}
        </td>
      ) : (
        columns.map(({ id, cell, isNumber }, column) =>
          column === 0 ? (
            <th key={id} scope="row">
              {cell(row)}
            </th>
          ) : (
            <td key={id} className={isNumber ? 'number' : undefined}>
              {cell(row)}
            </td>
          ),
        )
      )}
    </tr>
  )
}

/** While the table scrolls, only the rows that come into view are drawn. */
const VirtualRow = memo(PlainRow) as typeof PlainRow

interface RowKeys extends RowRange {
  readonly total: number
  readonly scrollTo: (index: number) => void
}

/** Moves the focus between the links of rows; a row out of view is drawn first, and its link focused then. */
function useRowKeys(frame: RefObject<HTMLElement | null>, { total, from, to, scrollTo }: RowKeys) {
  const focused = useRef<number>(undefined)
  const wanted = useRef<number>(undefined)
  const linkOf = (index: number) => frame.current?.querySelector<HTMLElement>(`[data-index="${index}"] a`)
  useEffect(() => {
    if (wanted.current !== undefined) {
      const link = linkOf(wanted.current)
      if (link) {
        wanted.current = undefined
        link.focus({ preventScroll: true })
      }
    } else if (focused.current !== undefined && document.activeElement === document.body) {
      // The row that had the focus was scrolled out of view: the keys continue from it.
      frame.current?.focus({ preventScroll: true })
    }
  })
  return (event: KeyboardEvent) => {
    const row = (event.target as HTMLElement).closest<HTMLElement>('[data-index]')
    const isFrame = event.target === frame.current
    const index = row ? Number(row.dataset['index']) : isFrame ? focused.current : undefined
    if (index === undefined) return
    const next = movedRow(event.key, index, total)
    if (next === undefined) return
    event.preventDefault()
    focused.current = next
    const link = from <= next && next < to ? linkOf(next) : undefined
    if (link) link.focus()
    else {
      wanted.current = next
      scrollTo(next)
    }
  }
}

function movedRow(key: string, index: number, total: number): number | undefined {
  const moves: Readonly<Record<string, number>> = {
    ArrowUp: index - 1,
    ArrowDown: index + 1,
    Home: 0,
    End: total - 1,
  }
  const next = moves[key]
  return next === undefined ? undefined : Math.max(0, Math.min(total - 1, next))
}
