import { formatDecimal, unscaled } from '../../kernel/decimal.ts'
import { useLanguage, useText } from '../../kernel/text.tsx'
import { Tag } from '../../ui/controls.tsx'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { useAgeText } from './age.ts'
import type { Flow } from './power-flow.ts'
import type { FacilityPower, SiteFilter } from './readings.ts'
import { OVERVIEW_TEXTS } from './texts.ts'

/** Rows that are shown; a facility of a larger tenant is chosen at the top of the page. */
const ROWS_MAX = 100
const WATT_PLACES = 3

interface FacilityPowersProps {
  readonly site: SiteFilter
  readonly facilities: readonly FacilityPower[]
  readonly now: number
}

/** The flow of each facility to the watt, behind a heading that opens it. */
export function FacilityPowers({ site, facilities, now }: FacilityPowersProps) {
  const t = useText()
  const { language } = useLanguage()
  const ageText = useAgeText()
  const power = (id: string, title: string, watts: (flow: Flow) => number): Column<FacilityPower> => ({
    id,
    title: `${title}, kW`,
    isNumber: true,
    cell: ({ flow }) =>
      flow ? (
        formatDecimal(unscaled(BigInt(watts(flow)), WATT_PLACES), WATT_PLACES, language)
      ) : (
        <span className="unknown">{t(OVERVIEW_TEXTS.OVERVIEW_UNKNOWN_POWER())}</span>
      ),
  })
  return (
    <details className="more">
      <summary>{t(OVERVIEW_TEXTS.OVERVIEW_BY_FACILITY())}</summary>
      <DataTable
        // The powers of the meters, from which the flows are computed.
        report={{ list: 'power_of_meters', query: site }}
        caption={t(OVERVIEW_TEXTS.OVERVIEW_BY_FACILITY())}
        rows={facilities.slice(0, ROWS_MAX)}
        keyOf={({ id }) => id}
        empty=""
        columns={[
          { id: 'name', title: t(OVERVIEW_TEXTS.OVERVIEW_FACILITY()), cell: ({ name }) => name },
          power('sun', t(OVERVIEW_TEXTS.OVERVIEW_SUN()), ({ sun }) => sun),
          power('import', t(OVERVIEW_TEXTS.OVERVIEW_FROM_GRID()), ({ gridImport }) => gridImport),
          power('export', t(OVERVIEW_TEXTS.OVERVIEW_TO_GRID()), ({ gridExport }) => gridExport),
          power('discharge', t(OVERVIEW_TEXTS.OVERVIEW_DISCHARGE()), ({ discharge }) => discharge),
          power('charge', t(OVERVIEW_TEXTS.OVERVIEW_CHARGE()), ({ charge }) => charge),
          power('load', t(OVERVIEW_TEXTS.OVERVIEW_LOAD()), ({ load }) => load),
          power('difference', t(OVERVIEW_TEXTS.OVERVIEW_DIFFERENCE()), ({ difference }) => difference),
          {
            id: 'age',
            title: t(OVERVIEW_TEXTS.OVERVIEW_AGE()),
            isNumber: true,
            cell: ({ oldestAt, isStale }) =>
              oldestAt === undefined ? (
                '—'
              ) : isStale ? (
                <Tag tone="danger">{ageText(now - oldestAt)}</Tag>
              ) : (
                ageText(now - oldestAt)
              ),
          },
        ]}
      />
    </details>
  )
}
