import { useSearch } from '@tanstack/react-router'
import { useGet } from '../../api/queries.ts'
import { useCan } from '../../api/session.tsx'
import { useText } from '../../kernel/text.tsx'
import { Page } from '../../ui/page.tsx'
import { OpenAlarms, SilentDevices, SilentGateways } from './attention.tsx'
import { DaysCard } from './days-card.tsx'
import { FacilityChoice } from './facility-choice.tsx'
import { ThisMonth } from './month.tsx'
import { PowerCard } from './power-card.tsx'
import type { SiteFilter } from './readings.ts'
import { OVERVIEW_TEXTS } from './texts.ts'

/** What flows now, what needs attention, and how the day and the month go: of all facilities, or of one site. */
export function OverviewPage() {
  const t = useText()
  const can = useCan()
  const { facility, subregion } = useSearch({ from: '/signed-in/overview' })
  const site: SiteFilter = { facility_id: facility, subregion_id: subregion }
  const around = useAround(site)
  const isNarrowed = facility !== undefined || subregion !== undefined
  return (
    <Page title={t(OVERVIEW_TEXTS.OVERVIEW())} actions={can('read:netting') ? <FacilityChoice /> : undefined}>
      {around.name !== undefined && <p>{t(OVERVIEW_TEXTS.OVERVIEW_SUBREGION({ name: around.name }))}</p>}
      <div className="overview">
        {can('read:measurement') && <PowerCard site={site} />}
        <div className="cards">
          {can('read:alarm') && <OpenAlarms />}
          {can('read:gateway') && <SilentGateways site={around.site} />}
          {can('read:device') && <SilentDevices site={around.site} />}
        </div>
        {can('read:netting') && <DaysCard site={site} />}
        {isNarrowed && <p className="muted">{t(OVERVIEW_TEXTS.OVERVIEW_OTHERS())}</p>}
        {can('read:netting') && <ThisMonth />}
      </div>
    </Page>
  )
}

/** The subregion in which the site is, and its name when the page was narrowed to it. */
function useAround({ facility_id, subregion_id }: SiteFilter) {
  const facility = useGet(
    '/api/mahsuplasma/facilities/{id}',
    { path: { id: facility_id ?? '' } },
    { enabled: facility_id !== undefined },
  )
  const subregion = useGet(
    '/api/subregions/{id}',
    { path: { id: subregion_id ?? '' } },
    { enabled: subregion_id !== undefined },
  )
  const ofFacility = facility_id === undefined ? undefined : facility.data?.subregion_id
  return {
    site: { subregion_id: subregion_id ?? ofFacility } satisfies SiteFilter,
    name: subregion_id === undefined ? undefined : subregion.data?.name,
  }
}
