import { useGet } from '../../../api/queries.ts'
import { formatDay } from '../../../kernel/dates.ts'
import { formatDecimal, scaled } from '../../../kernel/decimal.ts'
import { useLanguage, useText } from '../../../kernel/text.tsx'
import { Button, Tag, type Tone } from '../../../ui/controls.tsx'
import { Detail, Details } from '../../../ui/details.tsx'
import { Loaded } from '../../../ui/page.tsx'
import { Energy } from '../../../ui/value.tsx'
import type { Account } from '../accounts.ts'
import { LEDGER_TEXTS } from './texts.ts'

interface LimitGaugeProps {
  readonly account: Account
  readonly name: string
  readonly isSelected: boolean
  readonly onSelect: () => void
}

const useForecast = (accountId: string) =>
  useGet('/api/mahsuplasma/limits/accounts/{id}/forecast', { path: { id: accountId } })
type Forecast = NonNullable<ReturnType<typeof useForecast>['data']>

const CONFIDENCES = {
  high: LEDGER_TEXTS.LEDGER_CONFIDENCE_HIGH,
  medium: LEDGER_TEXTS.LEDGER_CONFIDENCE_MEDIUM,
  low: LEDGER_TEXTS.LEDGER_CONFIDENCE_LOW,
} as const

/** How much of a limit is used, and when it is expected to be used up. */
export function LimitGauge({ account, name, isSelected, onSelect }: LimitGaugeProps) {
  const t = useText()
  const forecast = useForecast(account.id)
  return (
    <section className="card" aria-label={name}>
      <h3>{name}</h3>
      <Loaded query={forecast}>
        {(data) => (
          <>
            <Bar name={name} forecast={data} />
            <RunOut forecast={data} />
            <Details areNumbers>
              <Detail term={t(LEDGER_TEXTS.LEDGER_LIMIT())}>
                <Energy value={data.limit_kwh} />
              </Detail>
              <Detail term={t(LEDGER_TEXTS.LEDGER_USED())}>
                <Energy value={data.used_kwh} />
              </Detail>
              <Detail term={t(LEDGER_TEXTS.LEDGER_REMAINING())}>
                <Energy value={data.remaining_kwh} />
              </Detail>
              <Detail term={t(LEDGER_TEXTS.LEDGER_RATE())}>
                <Energy value={data.daily_rate_kwh} />
              </Detail>
              {scaled(data.shortfall_kwh, 3) > 0n && (
                <Detail term={t(LEDGER_TEXTS.LEDGER_SHORTFALL())}>
                  <Energy value={data.shortfall_kwh} />
                </Detail>
              )}
            </Details>
            <details>
              <summary>{t(LEDGER_TEXTS.LEDGER_METHOD())}</summary>
              <p className="muted">{data.method}</p>
              <ul className="muted">
                {data.notes.map((note) => (
                  <li key={note}>{note}</li>
                ))}
              </ul>
            </details>
          </>
        )}
      </Loaded>
      <div>
        <Button
          onPress={onSelect}
          isDisabled={isSelected}
          aria-label={t(LEDGER_TEXTS.LEDGER_SHOW_OF({ name }))}
        >
          {t(LEDGER_TEXTS.LEDGER_SHOW())}
        </Button>
      </div>
    </section>
  )
}

/** The used share of a limit in whole percent, 0 to 100. */
function usedPercent({ limit_kwh, used_kwh }: Forecast): number {
  const limit = scaled(limit_kwh, 3)
  if (limit <= 0n) return 100
  const percent = Number((scaled(used_kwh, 3) * 100n) / limit)
  return Math.min(100, Math.max(0, percent))
}

function Bar({ name, forecast }: { readonly name: string; readonly forecast: Forecast }) {
  const t = useText()
  const { language } = useLanguage()
  const percent = usedPercent(forecast)
  const text = t(
    LEDGER_TEXTS.LEDGER_USED_OF({
      used: formatDecimal(forecast.used_kwh, 3, language),
      limit: formatDecimal(forecast.limit_kwh, 3, language),
    }),
  )
  return (
    // biome-ignore lint/a11y/useSemanticElements: the element `meter` cannot be styled in all browsers
    <div
      className="gauge"
      role="meter"
      aria-label={name}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      aria-valuetext={text}
      data-exhausted={forecast.is_exhausted || undefined}
    >
      <span style={{ width: `${percent}%` }} />
      <b aria-hidden="true">{language === 'tr' ? `%${percent}` : `${percent}%`}</b>
    </div>
  )
}

/** The expected or past day on which a limit is used up. */
function RunOut({ forecast }: { readonly forecast: Forecast }) {
  const t = useText()
  const { language } = useLanguage()
  const { run_out_date, is_exhausted, by_hour } = forecast
  const dayOf = (date: string | null) =>
    date === null ? t(LEDGER_TEXTS.LEDGER_NOT_THIS_YEAR()) : formatDay(date, language)
  const [tone, text]: [Tone, string] =
    run_out_date === null
      ? is_exhausted
        ? ['danger', t(LEDGER_TEXTS.LEDGER_EXHAUSTED())]
        : ['success', t(LEDGER_TEXTS.LEDGER_LASTS())]
      : is_exhausted
        ? ['danger', t(LEDGER_TEXTS.LEDGER_RAN_OUT({ date: formatDay(run_out_date, language) }))]
        : ['warning', t(LEDGER_TEXTS.LEDGER_RUNS_OUT({ date: formatDay(run_out_date, language) }))]
  return (
    <>
      <div className="row">
        <Tag tone={tone}>{text}</Tag>
        {!is_exhausted && <span className="muted">{t(CONFIDENCES[forecast.confidence]())}</span>}
      </div>
      {by_hour !== null && (
        <p className="muted">
          {t(
            LEDGER_TEXTS.LEDGER_BY_HOUR({
              date: dayOf(by_hour.run_out_date),
              early: dayOf(by_hour.early_date),
              late: dayOf(by_hour.late_date),
            }),
          )}
        </p>
      )}
    </>
  )
}
