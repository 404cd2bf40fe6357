import { useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { usePublicConfig } from '../../api/public-config.ts'
import { useGet } from '../../api/queries.ts'
import { formatInstant } from '../../kernel/dates.ts'
import { daySpan, thisMonth } from '../../kernel/day-range.ts'
import { approximate, formatDecimal } from '../../kernel/decimal.ts'
import { useLanguage, useText } from '../../kernel/text.tsx'
import { Notice, Select } from '../../ui/controls.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { DayFilters, PagedList, useFilter } from '../../ui/paged-list.tsx'
import { StateTag } from '../../ui/states.tsx'
import { TimeChart } from '../../ui/time-chart.tsx'
import { MARKETS, MATURITIES } from './states.ts'
import { TARIFF_PAGE_TEXTS } from './texts.ts'

const PAGE_SIZE = 168

/** The national market prices by hour: of each hour the most final one. */
export function MarketPrices() {
  const t = useText()
  const { language } = useLanguage()
  const search = useSearch({ from: '/signed-in/tariffs' })
  const { market = 'ptf', from, to, page = 1 } = search
  const days = { ...thisMonth(), ...(from !== undefined && { from }), ...(to !== undefined && { to }) }
  const filter = useFilter<typeof search>()
  const filters = { ...daySpan(days), market, best: true, sort_by: 'ts', sort_order: 'asc' } as const
  const query = useGet('/api/energy-market/prices', {
    query: {
      ...filters,
      skip: (page - 1) * PAGE_SIZE,
      limit: PAGE_SIZE,
    },
  })
  const isEnabled = usePublicConfig().data?.market_prices_enabled !== false
  return (
    <>
      {!isEnabled && <Notice tone="warning">{t(TARIFF_PAGE_TEXTS.TARIFFS_MARKET_DISABLED())}</Notice>}
      <div className="row">
        <Select
          label={t(TARIFF_PAGE_TEXTS.TARIFFS_MARKET_KIND())}
          value={market}
          onChange={(value) => filter({ market: value })}
          options={[
            { value: 'ptf', text: t(MARKETS.ptf.text()) },
            { value: 'smf', text: t(MARKETS.smf.text()) },
          ]}
        />
        <DayFilters days={days} onFilter={filter} />
      </div>
      <PagedList query={query} page={page} pageSize={PAGE_SIZE}>
        {({ items }) => (
          <>
            {items.length > 1 && <PriceChart prices={items} />}
            <DataTable
              report={{ list: 'market_prices', query: filters }}
              caption={t(TARIFF_PAGE_TEXTS.TARIFFS_MARKET())}
              rows={items}
              keyOf={({ ts, market: of }) => `${ts} ${of}`}
              empty={t(TARIFF_PAGE_TEXTS.TARIFFS_NO_MARKET())}
              columns={[
                {
                  id: 'hour',
                  title: t(TARIFF_PAGE_TEXTS.TARIFFS_HOUR()),
                  cell: ({ ts }) => formatInstant(ts, 'dateTime', language),
                },
                {
                  id: 'price',
                  title: t(TARIFF_PAGE_TEXTS.TARIFFS_MARKET_PRICE()),
                  isNumber: true,
                  cell: ({ price_try_per_mwh }) => formatDecimal(price_try_per_mwh, 2, language),
                },
                {
                  id: 'maturity',
                  title: t(TARIFF_PAGE_TEXTS.TARIFFS_MATURITY()),
                  cell: ({ price_status }) => <StateTag states={MATURITIES} value={price_status} />,
                },
              ]}
            />
          </>
        )}
      </PagedList>
    </>
  )
}

interface PriceChartProps {
  readonly prices: readonly { readonly ts: string; readonly price_try_per_mwh: string }[]
}

function PriceChart({ prices }: PriceChartProps) {
  const t = useText()
  const points = useMemo(
    () =>
      prices.map(({ ts, price_try_per_mwh }) => ({
        at: Date.parse(ts),
        value: approximate(price_try_per_mwh),
      })),
    [prices],
  )
  return (
    <TimeChart
      points={points}
      label={t(TARIFF_PAGE_TEXTS.TARIFFS_MARKET())}
      unit={t(TARIFF_PAGE_TEXTS.TARIFFS_MARKET_PRICE())}
      color="--energy-paid"
    />
  )
}
