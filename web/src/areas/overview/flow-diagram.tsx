/**
 * The power flow as a picture, and as a table with the same values: the picture says nothing to a screen reader, the
 * table is for everybody.
 */
import type { Message } from '../../../../src/kernel/messages.ts'
import { formatDecimal, unscaled } from '../../kernel/decimal.ts'
import { useLanguage, useText } from '../../kernel/text.tsx'
import type { FlowPart, ShownFlow } from './power-flow.ts'
import { OVERVIEW_TEXTS } from './texts.ts'

interface ShownProps {
  readonly shown: ShownFlow
}

function usePowerText({ units, places }: ShownFlow): (part: FlowPart) => string {
  const { language } = useLanguage()
  return (part) => formatDecimal(unscaled(BigInt(Math.abs(units[part])), places), places, language)
}

const ICONS = {
  sun: 'M12 7a5 5 0 1 0 0 10 5 5 0 0 0 0-10ZM12 1v3M12 20v3M1 12h3M20 12h3M4 4l2 2M18 18l2 2M4 20l2-2M18 6l2-2',
  grid: 'M12 2 7 22M12 2l5 20M9.5 12h5M8.3 17h7.4M5 7h14M5 7v2M19 7v2M7 12 15.7 17M17 12 8.3 17',
  load: 'M3 11 12 3l9 8M5 9.5V21h14V9.5M13 11l-3 4h4l-3 4',
  battery: 'M6 5h12v16H6zM10 2h4v3h-4zM9 13h6M12 10v6M9 18h6',
} as const

interface NodeProps extends ShownProps {
  readonly name: keyof typeof ICONS
  readonly title: Message
  /** Its powers, with the sign of their direction. */
  readonly parts: readonly (readonly [sign: string, part: FlowPart])[]
}

/** A node with its powers; one zero when all are zero. */
function Node({ name, title, parts, shown }: NodeProps) {
  const t = useText()
  const text = usePowerText(shown)
  const flowing = parts.filter(([, part]) => shown.units[part] !== 0)
  return (
    <div className="flow-node" data-node={name}>
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <path d={ICONS[name]} />
      </svg>
      <span className="flow-name">{t(title)}</span>
      {(flowing.length > 0 ? flowing : parts.slice(0, 1)).map(([sign, part]) => (
        <span key={part} className="flow-value">
          {flowing.length > 0 && sign}
          {text(part)} <small>kW</small>
        </span>
      ))}
    </div>
  )
}

/** Nodes at the ends of a cross; the dashes of a line run in the direction of its power. */
export function FlowDiagram({ shown }: ShownProps) {
  const { units } = shown
  const largest = Math.max(...Object.values(units), 1)
  return (
    <div className="flow-diagram" aria-hidden="true">
      <svg aria-hidden="true" className="flow-lines" viewBox="0 0 100 100" preserveAspectRatio="none">
        <FlowLine d="M50 16V50" color="--energy-production" units={units.sun} largest={largest} />
        <FlowLine d="M16 47H50" color="--energy-grid" units={units.gridImport} largest={largest} />
        <FlowLine d="M50 53H16" color="--energy-grid" units={units.gridExport} largest={largest} />
        <FlowLine d="M50 50H84" color="--energy-consumption" units={units.load} largest={largest} />
        <FlowLine d="M48 84V50" color="--energy-battery" units={units.discharge} largest={largest} />
        <FlowLine d="M52 50V84" color="--energy-battery" units={units.charge} largest={largest} />
      </svg>
      <Node shown={shown} name="sun" title={OVERVIEW_TEXTS.OVERVIEW_SUN()} parts={[['', 'sun']]} />
      <Node
        shown={shown}
        name="grid"
        title={OVERVIEW_TEXTS.OVERVIEW_GRID()}
        parts={[
          ['→ ', 'gridImport'],
          ['← ', 'gridExport'],
        ]}
      />
      <Node shown={shown} name="load" title={OVERVIEW_TEXTS.OVERVIEW_LOAD()} parts={[['', 'load']]} />
      <Node
        shown={shown}
        name="battery"
        title={OVERVIEW_TEXTS.OVERVIEW_BATTERY()}
        parts={[
          ['↑ ', 'discharge'],
          ['↓ ', 'charge'],
        ]}
      />
    </div>
  )
}

interface FlowLineProps {
  /** From the source to the use. */
  readonly d: string
  readonly color: string
  readonly units: number
  readonly largest: number
}

const WIDTH_MIN = 2
const WIDTH_MAX = 9

function FlowLine({ d, color, units, largest }: FlowLineProps) {
  const width = units === 0 ? 1 : WIDTH_MIN + ((WIDTH_MAX - WIDTH_MIN) * units) / largest
  return (
    <path
      d={d}
      vectorEffect="non-scaling-stroke"
      className="flow-line"
      data-moving={units > 0 || undefined}
      style={{ '--flow-color': `var(${units === 0 ? '--border' : color})`, strokeWidth: width }}
    />
  )
}

interface Line {
  readonly part: FlowPart
  readonly title: Message
}

/** Sources and uses with their sums, which are equal. */
export function Balance({ shown }: ShownProps) {
  const t = useText()
  const { difference } = shown.units
  const rest: Line = { part: 'difference', title: OVERVIEW_TEXTS.OVERVIEW_DIFFERENCE() }
  return (
    <table className="balance">
      <caption className="visually-hidden">{t(OVERVIEW_TEXTS.OVERVIEW_POWER_TABLE())}</caption>
      <thead className="visually-hidden">
        <tr>
          <th scope="col">{t(OVERVIEW_TEXTS.OVERVIEW_PART())}</th>
          <th scope="col">kW</th>
        </tr>
      </thead>
      <Side
        shown={shown}
        title={OVERVIEW_TEXTS.OVERVIEW_SOURCES()}
        lines={[
          { part: 'sun', title: OVERVIEW_TEXTS.OVERVIEW_SUN() },
          { part: 'gridImport', title: OVERVIEW_TEXTS.OVERVIEW_FROM_GRID() },
          { part: 'discharge', title: OVERVIEW_TEXTS.OVERVIEW_DISCHARGE() },
          ...(difference < 0 ? [rest] : []),
        ]}
      />
      <Side
        shown={shown}
        title={OVERVIEW_TEXTS.OVERVIEW_USES()}
        lines={[
          { part: 'load', title: OVERVIEW_TEXTS.OVERVIEW_LOAD() },
          { part: 'gridExport', title: OVERVIEW_TEXTS.OVERVIEW_TO_GRID() },
          { part: 'charge', title: OVERVIEW_TEXTS.OVERVIEW_CHARGE() },
          ...(difference > 0 ? [rest] : []),
        ]}
      />
    </table>
  )
}

function Side({
  shown,
  title,
  lines,
}: ShownProps & { readonly title: Message; readonly lines: readonly Line[] }) {
  const t = useText()
  const { language } = useLanguage()
  const text = usePowerText(shown)
  const { units, places } = shown
  const sum = lines.reduce((all, { part }) => all + Math.abs(units[part]), 0)
  return (
    <tbody>
      {lines.map(({ part, title: name }) => (
        <tr key={part} data-part={part}>
          <th scope="row">{t(name)}</th>
          <td>
            {text(part)} <small>kW</small>
          </td>
        </tr>
      ))}
      <tr className="sum" data-part="sum">
        <th scope="row">{t(title)}</th>
        <td>
          {formatDecimal(unscaled(BigInt(sum), places), places, language)} <small>kW</small>
        </td>
      </tr>
    </tbody>
  )
}
