/** The arrangement of widgets on the grid of a dashboard: 12 columns, and rows of one height. */

const GRID_COLUMNS = 12
const HEIGHT_MAX = 4

export interface GridCell {
  readonly x: number
  readonly y: number
  readonly w: number
  readonly h: number
}
export interface Placed {
  readonly id: string
  readonly cell: GridCell
}
interface Arrangeable {
  readonly id: string
  readonly widget_type: string
  readonly position: GridCell | null
}

/** Widths that the buttons of a widget step through. */
const WIDTHS = [3, 4, 6, 8, 12] as const

const SMALL = { w: 3, h: 1 }
const MIDDLE = { w: 3, h: 2 }
const LARGE = { w: 6, h: 2 }
/** Sizes of widgets that have none. */
const SIZES: Readonly<Record<string, Pick<GridCell, 'w' | 'h'>>> = {
  consumption_numeric: SMALL,
  cost_numeric: SMALL,
  realtime_value: SMALL,
  realtime_gauge: MIDDLE,
  realtime_power: MIDDLE,
  alarm_summary: MIDDLE,
  mahsuplasma_balance: MIDDLE,
}
export const sizeOf = (type: string): Pick<GridCell, 'w' | 'h'> => SIZES[type] ?? LARGE

/** Reading order: rows from the top, each from the left. Widgets without a position are last, oldest first. */
export function inReadingOrder<Widget extends Arrangeable>(widgets: readonly Widget[]): Widget[] {
  const rank = ({ position }: Widget) => position?.y ?? Number.POSITIVE_INFINITY
  const compared = (a: number, b: number) => (a === b ? 0 : a < b ? -1 : 1)
  return [...widgets].sort(
    (a, b) => compared(rank(a), rank(b)) || (a.position?.x ?? 0) - (b.position?.x ?? 0),
  )
}

const overlap = (a: GridCell, b: GridCell): boolean =>
  a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h

/** Puts each widget at the first free cell after that of the one before it, row by row from the left. */
export function packed(sizes: readonly { readonly id: string; readonly w: number; readonly h: number }[]) {
  const placed: Placed[] = []
  const isFree = (cell: GridCell) => !placed.some((other) => overlap(cell, other.cell))
  let from = 0
  for (const { id, w, h } of sizes) {
    const width = Math.min(w, GRID_COLUMNS)
    const cellAt = (index: number): GridCell => ({
      x: index % GRID_COLUMNS,
      y: Math.floor(index / GRID_COLUMNS),
      w: width,
      h,
    })
    while (cellAt(from).x + width > GRID_COLUMNS || !isFree(cellAt(from))) from += 1
    placed.push({ id, cell: cellAt(from) })
  }
  return placed
}

/** Where the widgets are shown: where they were put, or side by side if that does not fit on the grid. */
export function layoutOf(widgets: readonly Arrangeable[]): Placed[] {
  const sorted = inReadingOrder(widgets)
  const isUsable = sorted.every(
    ({ position }, index) =>
      position !== null &&
      position.x + position.w <= GRID_COLUMNS &&
      !sorted.slice(0, index).some((other) => other.position && overlap(position, other.position)),
  )
  if (!isUsable)
    return packed(
      sorted.map(({ id, position, widget_type }) => ({ ...(position ?? sizeOf(widget_type)), id })),
    )
  return sorted.map(({ id, position, widget_type }) => ({
    id,
    cell: position ?? { x: 0, y: 0, ...sizeOf(widget_type) },
  }))
}

export type Resizing = 'wider' | 'narrower' | 'taller' | 'lower'

/** The next size in a direction; undefined at the end. */
export function resized({ w, h }: Pick<GridCell, 'w' | 'h'>, direction: Resizing) {
  if (direction === 'taller') return h < HEIGHT_MAX ? { w, h: h + 1 } : undefined
  if (direction === 'lower') return h > 1 ? { w, h: h - 1 } : undefined
  const next =
    direction === 'wider' ? WIDTHS.find((width) => width > w) : WIDTHS.findLast((width) => width < w)
  return next === undefined ? undefined : { w: next, h }
}

/** The ids after some of them were moved before or after another one. */
export function moved(
  ids: readonly string[],
  keys: ReadonlySet<string>,
  target: { readonly key: string; readonly isAfter: boolean },
): string[] {
  const rest = ids.filter((id) => !keys.has(id))
  const index = rest.indexOf(target.key)
  if (index < 0) return [...ids]
  const at = target.isAfter ? index + 1 : index
  return [...rest.slice(0, at), ...ids.filter((id) => keys.has(id)), ...rest.slice(at)]
}
