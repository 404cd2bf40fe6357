import { useText } from '../../../kernel/text.tsx'
import { MARKS } from './marks.ts'
import { HOURS_TEXTS } from './texts.ts'

/** The signs and patterns of charts of hours. */
export function Signs() {
  const t = useText()
  return (
    <ul className="signs" aria-label={t(HOURS_TEXTS.HOURS_LEGEND())}>
      <li>
        <span className="swatch hatched" aria-hidden="true" /> {t(HOURS_TEXTS.HOURS_UNKNOWN())}
      </li>
      {MARKS.map(({ id, sign, text }) => (
        <li key={id}>
          <span className="sign framed">{sign}</span> {t(text())}
        </li>
      ))}
    </ul>
  )
}
