import type { ReactNode } from 'react'
import { useText } from '../../../kernel/text.tsx'
import { Tag } from '../../../ui/controls.tsx'
import { StateTag } from '../../../ui/states.tsx'
import { FORECAST_STATES, type ForecastHead } from './data.ts'
import { FORECAST_PAGE_TEXTS as TEXTS } from './texts.ts'

/** The frame around everything that was not measured: a dashed border and a sentence that says so. */
export function ForecastFrame({ children }: { readonly children: ReactNode }) {
  const t = useText()
  return (
    <div className="scenario-frame stack">
      <p className="scenario-mark">
        <Tag tone="warning">{t(TEXTS.FORECASTS_ONE())}</Tag> {t(TEXTS.FORECASTS_MARK())}
      </p>
      {children}
    </div>
  )
}

/** The state of a forecast; while it is computed, how much is done. */
export function ForecastState({ forecast }: { readonly forecast: ForecastHead }) {
  const t = useText()
  const { state, facilities_done: done, facilities_total: total } = forecast
  return (
    <span className="stack">
      <StateTag states={FORECAST_STATES} value={state as keyof typeof FORECAST_STATES} />
      {state === 'waiting' && (
        <>
          <progress aria-label={t(TEXTS.FORECASTS_ONE())} value={done} max={Math.max(1, total)} />
          <span role="status">{t(TEXTS.FORECASTS_PROGRESS({ done, total }))}</span>
        </>
      )}
    </span>
  )
}
