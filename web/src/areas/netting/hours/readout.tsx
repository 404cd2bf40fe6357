import { useMemo } from 'react'
import { formatInstant } from '../../../kernel/dates.ts'
import { useLanguage, useText } from '../../../kernel/text.tsx'
import { Energy } from '../../../ui/value.tsx'
import { QUANTITIES } from '../quantities.ts'
import { type Column, summaryOf } from './columns.ts'
import { MARKS } from './marks.ts'
import { HOURS_TEXTS } from './texts.ts'

interface ReadoutProps {
  readonly columns: readonly Column[]
  /** The column under the pointer, or the selected one; otherwise the sums of the range are shown. */
  readonly shown: Column | undefined
}

/** The legend of the chart with the figures of a column or of the range, and the marks that occur. */
export function Readout({ columns, shown }: ReadoutProps) {
  const t = useText()
  const { language } = useLanguage()
  const ofRange = useMemo(() => summaryOf(columns), [columns])
  const { totals, states, marks } = shown ? summaryOf([shown]) : ofRange
  const first = shown ?? columns[0]
  const last = shown ?? columns.at(-1)
  if (!first || !last) return null
  return (
    <div className="stack">
      <strong>
        {t(
          HOURS_TEXTS.HOURS_RANGE({
            from: formatInstant(first.from, 'dateTime', language),
            to: formatInstant(last.to, 'dateTime', language),
          }),
        )}
      </strong>
      <ul className="readout">
        {QUANTITIES.map(({ id, field, text, color }) => (
          <li key={id}>
            <span className="swatch" data-line={id} style={{ background: color }} aria-hidden="true" />{' '}
            {t(text())}
            <b>
              <Energy value={totals[field]} />
            </b>
          </li>
        ))}
      </ul>
      <ul className="signs">
        {(['unknown', 'not_calculated'] as const).map((state) => {
          const count = states[state]
          const text = state === 'unknown' ? HOURS_TEXTS.HOURS_UNKNOWN : HOURS_TEXTS.HOURS_NOT_CALCULATED
          return (
            count > 0 && (
              <li key={state}>
                <span className={`swatch ${state === 'unknown' ? 'hatched' : 'blank'}`} aria-hidden="true" />{' '}
                {t(text())} ({count})
              </li>
            )
          )
        })}
        {MARKS.map(({ id, sign, text }, index) => {
          const count = marks[index] ?? 0
          return (
            count > 0 && (
              <li key={id}>
                <span className="sign framed">{sign}</span> {t(text())} ({count})
              </li>
            )
          )
        })}
      </ul>
    </div>
  )
}
