import { approximate, formatDecimal, scaled, unscaled } from '../../kernel/decimal.ts'
import { useLanguage, useText } from '../../kernel/text.tsx'
import { Tag } from '../../ui/controls.tsx'
import { Energy } from '../../ui/value.tsx'
import type { HourlyRow } from './hour-provenance.tsx'
import { PROVENANCE_TEXTS } from './provenance-texts.ts'
import { NETTING_TEXTS } from './texts.ts'
import { QUALITIES, useWord } from './words.ts'

/** The two identities of an hour: where its production went, and where its consumption came from. */
export function HourBalance({ row }: { readonly row: HourlyRow }) {
  const t = useText()
  const word = useWord()
  return (
    <section className="stack">
      <div className="row">
        <h3>{t(PROVENANCE_TEXTS.PROVENANCE_RESULT())}</h3>
        <Tag tone={row.data_quality === 'complete' ? 'success' : 'warning'}>
          {t(NETTING_TEXTS.NETTING_QUALITY())}: {word(QUALITIES, row.data_quality)}
        </Tag>
      </div>
      <div className="balances">
        <Balance
          title={t(PROVENANCE_TEXTS.PROVENANCE_PRODUCTION_EQUALS())}
          total={{ text: t(NETTING_TEXTS.NETTING_PRODUCTION()), value: row.production_kwh }}
          parts={[
            {
              text: t(NETTING_TEXTS.NETTING_MATCHED()),
              value: row.matched_kwh,
              color: 'var(--energy-matched)',
            },
            { text: t(NETTING_TEXTS.NETTING_PAID()), value: row.bedelli_kwh, color: 'var(--energy-paid)' },
            {
              text: t(NETTING_TEXTS.NETTING_OVER_LIMIT()),
              value: row.skb_kwh,
              color: 'var(--energy-over-limit)',
            },
            { text: t(NETTING_TEXTS.NETTING_FREE()), value: row.bedelsiz_kwh, color: 'var(--energy-free)' },
          ]}
        />
        <Balance
          title={t(PROVENANCE_TEXTS.PROVENANCE_CONSUMPTION_EQUALS())}
          total={{ text: t(NETTING_TEXTS.NETTING_CONSUMPTION()), value: row.consumption_kwh }}
          parts={[
            {
              text: t(NETTING_TEXTS.NETTING_MATCHED()),
              value: row.matched_kwh,
              color: 'var(--energy-matched)',
            },
            {
              text: t(NETTING_TEXTS.NETTING_NET_IMPORT()),
              value: row.net_import_kwh,
              color: 'var(--energy-consumption)',
            },
          ]}
        />
      </div>
    </section>
  )
}

interface Part {
  readonly text: string
  readonly value: string | null
  readonly color: string
}
interface BalanceProps {
  readonly title: string
  readonly total: Omit<Part, 'color'>
  readonly parts: readonly Part[]
}

/** A sum with its terms, as a table and as a bar. */
function Balance({ title, total, parts }: BalanceProps) {
  const t = useText()
  const { language } = useLanguage()
  return (
    <div className="stack">
      <div className="share-bar" aria-hidden="true">
        {total.value !== null &&
          parts.map(({ text, value, color }) => (
            <span
              key={text}
              style={{ flexGrow: value === null ? 0 : approximate(value), background: color }}
            />
          ))}
        {total.value === null && <span className="hatched" style={{ flexGrow: 1 }} />}
      </div>
      <table className="sum-table">
        <caption>{title}</caption>
        <thead className="visually-hidden">
          <tr>
            <th scope="col">{t(NETTING_TEXTS.NETTING_QUANTITY())}</th>
            <th scope="col">kWh</th>
            <th scope="col">{t(PROVENANCE_TEXTS.PROVENANCE_SHARE())}</th>
          </tr>
        </thead>
        <tbody>
          {parts.map(({ text, value, color }) => (
            <tr key={text}>
              <th scope="row">
                <span className="swatch" style={{ background: color }} aria-hidden="true" /> {text}
              </th>
              <td className="number">
                <Energy value={value} />
              </td>
              <td className="number muted">{shareOf(value, total.value, language)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">= {total.text}</th>
            <td className="number">
              <Energy value={total.value} />
            </td>
            <td />
          </tr>
        </tfoot>
      </table>
    </div>
  )
}

const PLACES = 6

/** The share as a percentage with one place, computed on integers; empty when it is not defined. */
function shareOf(value: string | null, total: string | null, language: 'tr' | 'en'): string {
  if (value === null || total === null) return ''
  const whole = scaled(total, PLACES)
  if (whole === 0n) return ''
  const thousandths = (scaled(value, PLACES) * 2000n + whole) / (2n * whole)
  const text = formatDecimal(unscaled(thousandths, 1), 1, language)
  return language === 'tr' ? `%${text}` : `${text}%`
}
