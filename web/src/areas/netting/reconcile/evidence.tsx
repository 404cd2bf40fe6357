import { Link } from '@tanstack/react-router'
import { useLanguage, useText } from '../../../kernel/text.tsx'
import { useGroupMonth } from '../group-month.ts'
import { PriceRow } from '../price-row.tsx'
import { instantOfHour, priceNameText } from './display-texts.ts'
import type { ReconcileReport } from './reconcile-page.tsx'
import { RECONCILE_TEXTS } from './texts.ts'

/** The cause of a line, with the hour and the price rows that show it. */
export function Evidence({ line }: { readonly line: ReconcileReport['lines'][number] }) {
  const t = useText()
  const { language } = useLanguage()
  const { groupId, month } = useGroupMonth()
  const { key, reason, our_prices, their_price } = line
  const hour = instantOfHour(key)
  const nameText = (name: string) => priceNameText(name, t, language)
  return (
    <div className="stack">
      <span>{[reason, their_price && nameText(their_price.name)].filter(Boolean).join(' · ')}</span>
      {hour && (
        <Link to="/netting/groups/$groupId" params={{ groupId }} search={{ month, hour }}>
          {t(RECONCILE_TEXTS.RECONCILE_SHOW_HOUR())}
        </Link>
      )}
      {[...our_prices, ...(their_price ? [their_price] : [])].map(({ tariff_price_id, name }) => (
        <details key={tariff_price_id}>
          <summary>{t(RECONCILE_TEXTS.RECONCILE_PRICE_ROW({ name: nameText(name) }))}</summary>
          <PriceRow id={tariff_price_id} />
        </details>
      ))}
    </div>
  )
}
