import { useMemo, useState } from 'react'
import type { ListItem } from '../../../../../clients/typescript/src/index.ts'
import { useGet } from '../../../api/queries.ts'
import { formatInstant } from '../../../kernel/dates.ts'
import { approximate, formatDecimal } from '../../../kernel/decimal.ts'
import { useLanguage, useText } from '../../../kernel/text.tsx'
import { Select } from '../../../ui/controls.tsx'
import { DataTable } from '../../../ui/data-table.tsx'
import { Loaded } from '../../../ui/page.tsx'
import { Pager } from '../../../ui/pager.tsx'
import { TimeChart } from '../../../ui/time-chart.tsx'
import { useFacilityNames } from '../facilities.ts'
import { OPTIMISATION_PAGE_TEXTS as TEXTS } from './texts.ts'

const LIST = '/api/mahsuplasma/optimisations/{id}/set-points'
type SetPoint = ListItem<typeof LIST>

/** The set points of a month of one battery; the export has all. */
const SHOWN = 744
const DAY_HOURS = 24

/** The set points of the batteries: a chart of one of them, and all of them as a table. */
export function SetPoints({ id }: { readonly id: string }) {
  const query = useGet(LIST, { path: { id }, query: { limit: SHOWN } })
  return (
    <Loaded query={query}>
      {(points) =>
        points.length > 0 && (
          <>
            <SetPointChart points={points} />
            <SetPointTable id={id} points={points} />
          </>
        )
      }
    </Loaded>
  )
}

const facilitiesOf = (points: readonly SetPoint[]): readonly string[] => [
  ...new Set(points.map(({ facility_id }) => facility_id)),
]

function SetPointChart({ points }: { readonly points: readonly SetPoint[] }) {
  const t = useText()
  const facilities = facilitiesOf(points)
  const facilityName = useFacilityNames(facilities)
  const [chosen, setChosen] = useState('')
  const facility = facilities.includes(chosen) ? chosen : (facilities[0] ?? '')
  const drawn = useMemo(
    () =>
      points
        .filter(({ facility_id }) => facility_id === facility)
        .map(({ hour, power_kw }) => ({ at: Date.parse(hour), value: approximate(power_kw) })),
    [points, facility],
  )
  return (
    <>
      {facilities.length > 1 && (
        <Select
          label={t(TEXTS.OPTIMISATIONS_FACILITY())}
          value={facility}
          onChange={setChosen}
          options={facilities.map((value) => ({ value, text: facilityName(value) }))}
        />
      )}
      <TimeChart
        points={drawn}
        label={`${t(TEXTS.OPTIMISATIONS_SET_POINTS())}: ${facilityName(facility)}`}
        unit="kW"
        color="--energy-matched"
      />
    </>
  )
}

function SetPointTable({ id, points }: { readonly id: string; readonly points: readonly SetPoint[] }) {
  const t = useText()
  const { language } = useLanguage()
  const [page, setPage] = useState(1)
  const facilityName = useFacilityNames(facilitiesOf(points))
  return (
    <>
      <DataTable
        report={{ list: 'set_points', query: { id } }}
        caption={t(TEXTS.OPTIMISATIONS_SET_POINTS())}
        rows={points.slice((page - 1) * DAY_HOURS, page * DAY_HOURS)}
        keyOf={({ facility_id, hour }) => `${facility_id} ${hour}`}
        empty={t(TEXTS.OPTIMISATIONS_NO_SET_POINTS())}
        columns={[
          {
            id: 'facility',
            title: t(TEXTS.OPTIMISATIONS_FACILITY()),
            cell: ({ facility_id }) => facilityName(facility_id),
          },
          {
            id: 'hour',
            title: t(TEXTS.OPTIMISATIONS_HOUR()),
            cell: ({ hour }) => formatInstant(hour, 'dateTime', language),
          },
          {
            id: 'power',
            title: t(TEXTS.OPTIMISATIONS_POWER()),
            isNumber: true,
            cell: ({ power_kw }) => formatDecimal(power_kw, 3, language),
          },
        ]}
      />
      <Pager page={page} pageSize={DAY_HOURS} total={points.length} onPage={setPage} />
    </>
  )
}
