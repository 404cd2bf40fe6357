/**
 * A heat map of the hours of a month: days down, hours across. It is a table, so that a screen reader reads days and
 * hours as headings and each cell as text. The arrow keys move between the cells; one cell is in the tab order.
 *
 * An unknown value is hatched and never looks like zero; a doubtful one has a sign.
 */
import { type KeyboardEvent, useRef } from 'react'

export interface HeatCell {
  readonly id: string
  /** 0 to 1, of the largest value. */
  readonly share: number
  readonly isUnknown: boolean
  /** A sign over the shade, such as an exclamation mark. */
  readonly sign?: string | undefined
  /** Everything that the cell shows, as text. */
  readonly text: string
}

interface HeatMapProps {
  readonly caption: string
  readonly color: string
  readonly dayTitle: string
  readonly days: readonly {
    readonly id: string
    readonly text: string
    readonly cells: readonly (HeatCell | undefined)[]
  }[]
  readonly selected: string | undefined
  readonly onSelect: (id: string) => void
}

const HOURS = Array.from({ length: 24 }, (_item, hour) => hour)
const MOVES: Readonly<Record<string, readonly [days: number, hours: number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
}

export function HeatMap({ caption, color, dayTitle, days, selected, onSelect }: HeatMapProps) {
  const table = useRef<HTMLTableElement>(null)
  const move = (event: KeyboardEvent) => {
    const step = MOVES[event.key]
    const from = (event.target as HTMLElement).dataset['position']?.split(' ').map(Number)
    if (!step || !from) return
    event.preventDefault()
    const [day = 0, hour = 0] = from
    const to = `${day + step[0]} ${hour + step[1]}`
    table.current?.querySelector<HTMLElement>(`[data-position="${to}"]`)?.focus()
  }
  const isKnown = days.some(({ cells }) => cells.some((cell) => cell?.id === selected))
  let isFirst = !isKnown
  return (
    <div className="heat-map">
      <table ref={table} onKeyDown={move}>
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            <th scope="col">{dayTitle}</th>
            {HOURS.map((hour) => (
              <th key={hour} scope="col">
                {String(hour).padStart(2, '0')}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days.map(({ id, text, cells }, day) => (
            <tr key={id}>
              <th scope="row">{text}</th>
              {HOURS.map((hour) => {
                const cell = cells[hour]
                if (!cell) return <td key={hour} />
                const isTabStop = cell.id === selected || isFirst
                isFirst = false
                return (
                  <td key={hour}>
                    <button
                      type="button"
                      className="cell"
                      data-position={`${day} ${hour}`}
                      data-unknown={cell.isUnknown || undefined}
                      data-selected={cell.id === selected || undefined}
                      aria-pressed={cell.id === selected}
                      aria-label={cell.text}
                      title={cell.text}
                      tabIndex={isTabStop ? 0 : -1}
                      style={{ '--heat-color': color, '--heat-share': `${Math.round(cell.share * 100)}%` }}
                      onClick={() => onSelect(cell.id)}
                    >
                      {cell.sign !== undefined && <span className="sign">{cell.sign}</span>}
                    </button>
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
