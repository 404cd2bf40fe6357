import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { LiveState } from '../../../../clients/typescript/src/index.ts'
import { useCan } from '../../api/session.tsx'
import { formatInstant } from '../../kernel/dates.ts'
import { useLanguage, useText } from '../../kernel/text.tsx'
import { Notice, Tag } from '../../ui/controls.tsx'
import { Loaded } from '../../ui/page.tsx'
import { useAgeText } from './age.ts'
import { FacilityPowers } from './facility-powers.tsx'
import { Balance, FlowDiagram } from './flow-diagram.tsx'
import { roundFlow } from './power-flow.ts'
import { type FacilityPower, facilitiesOf, type SiteFilter, totalOf, usePower } from './readings.ts'
import { OVERVIEW_TEXTS } from './texts.ts'

const CLOCK_MS = 1_000
/** Names of facilities without a known power that are listed. */
const NAMES_MAX = 5

/** The power flow of the facilities, as their meters send samples. */
export function PowerCard({ site }: { readonly site: SiteFilter }) {
  const t = useText()
  const can = useCan()
  const { query, meters, readings, state, clockOffset } = usePower(site)
  const now = useNow() + clockOffset
  const facilities = facilitiesOf(meters, readings, now)
  const total = totalOf(facilities)
  return (
    <section className="card power-card">
      <div className="row">
        <h2>{t(OVERVIEW_TEXTS.OVERVIEW_POWER())}</h2>
        {meters.length > 0 && <LiveTag state={state} />}
        {total && <Ages total={total} now={now} />}
      </div>
      <Loaded query={query}>
        {({ is_truncated }) =>
          meters.length === 0 ? (
            <p className="muted">
              {t(OVERVIEW_TEXTS.OVERVIEW_NO_METERS())}{' '}
              {can('manage:device') && (
                <Link to="/setup" search={{ step: 'facility' }}>
                  {t(OVERVIEW_TEXTS.OVERVIEW_SET_UP())}
                </Link>
              )}
            </p>
          ) : (
            <>
              {is_truncated && (
                <Notice tone="warning">
                  {t(OVERVIEW_TEXTS.OVERVIEW_TOO_MANY({ count: meters.length }))}
                </Notice>
              )}
              {total && (
                <div className="power-flow" data-stale={total.isStale || undefined}>
                  <FlowDiagram shown={roundFlow(total.flow)} />
                  <Balance shown={roundFlow(total.flow)} />
                </div>
              )}
              <LeftOut facilities={facilities} />
              {facilities.length > 1 && <FacilityPowers site={site} facilities={facilities} now={now} />}
            </>
          )
        }
      </Loaded>
    </section>
  )
}

/** The time of this computer, every second. */
function useNow(): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), CLOCK_MS)
    return () => clearInterval(timer)
  }, [])
  return now
}

function LiveTag({ state }: { readonly state: LiveState }) {
  const t = useText()
  const isOpen = state === 'open'
  return (
    <span role="status">
      <Tag tone={isOpen ? 'success' : 'warning'}>
        {t(isOpen ? OVERVIEW_TEXTS.OVERVIEW_LIVE() : OVERVIEW_TEXTS.OVERVIEW_NOT_LIVE())}
      </Tag>
    </span>
  )
}

/** The age of the oldest power: as a warning when it is stale. */
function Ages({
  total,
  now,
}: {
  readonly total: Pick<FacilityPower, 'isStale'> & { oldestAt: number }
  now: number
}) {
  const t = useText()
  const { language } = useLanguage()
  const ageText = useAgeText()
  const age = ageText(now - total.oldestAt)
  return (
    <>
      {total.isStale && <Tag tone="danger">{t(OVERVIEW_TEXTS.OVERVIEW_STALE({ age }))}</Tag>}
      <span className="muted ages">
        {t(OVERVIEW_TEXTS.OVERVIEW_AGES({ at: formatInstant(total.oldestAt, 'seconds', language), age }))}
      </span>
    </>
  )
}

function LeftOut({ facilities }: { readonly facilities: readonly FacilityPower[] }) {
  const t = useText()
  const names = facilities.flatMap(({ name, flow }) => (flow === undefined ? [name] : []))
  if (names.length === 0) return null
  const listed = names.slice(0, NAMES_MAX).join(', ')
  const others = names.length - NAMES_MAX
  return (
    <Notice tone="warning">
      {t(
        OVERVIEW_TEXTS.OVERVIEW_LEFT_OUT({
          names:
            others > 0
              ? t(OVERVIEW_TEXTS.OVERVIEW_MORE_FACILITIES({ names: listed, count: others }))
              : listed,
        }),
      )}
    </Notice>
  )
}
