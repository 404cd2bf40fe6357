/** What needs attention: open alarms, and gateways and devices that are silent. */
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useGet } from '../../api/queries.ts'
import { formatInstant } from '../../kernel/dates.ts'
import { useLanguage, useText } from '../../kernel/text.tsx'
import type { Tone } from '../../ui/controls.tsx'
import { Loaded, type Query } from '../../ui/page.tsx'
import type { SiteFilter } from './readings.ts'
import { OVERVIEW_TEXTS } from './texts.ts'

const REFRESH_MS = 15_000
/** Records of a card; its link shows all. */
const LISTED_MAX = 4

interface AttentionCardProps<Item> {
  readonly title: string
  readonly total: number
  /** Of the number, when it is not zero. */
  readonly tone: Tone
  /** Instead of a list, when the number is zero. */
  readonly none: string
  readonly items: readonly Item[]
  readonly keyOf: (item: Item) => string
  readonly nameOf: (item: Item) => ReactNode
  readonly timeOf: (item: Item) => string
  readonly link: ReactNode
}

function AttentionCard<Item>(props: AttentionCardProps<Item>) {
  const { title, total, tone, none, items, keyOf, nameOf, timeOf, link } = props
  const { language } = useLanguage()
  return (
    <>
      <h2 className="muted">{title}</h2>
      <div className="figure" data-tone={total === 0 ? 'success' : tone}>
        {total.toLocaleString(language)}
      </div>
      {total === 0 ? (
        <p className="muted">{none}</p>
      ) : (
        <>
          <ul className="attention">
            {items.map((item) => (
              <li key={keyOf(item)}>
                <span>{nameOf(item)}</span>
                <span>{timeOf(item)}</span>
              </li>
            ))}
          </ul>
          {link}
        </>
      )}
    </>
  )
}

export function OpenAlarms() {
  const t = useText()
  const { language } = useLanguage()
  const query = useGet(
    '/api/alarms/incidents',
    { query: { is_open: true, limit: LISTED_MAX, sort_by: 'severity', sort_order: 'desc' } },
    { refetchInterval: REFRESH_MS },
  )
  return (
    <section className="card">
      <Loaded query={query}>
        {({ items, total }) => (
          <AttentionCard
            title={t(OVERVIEW_TEXTS.OVERVIEW_OPEN_ALARMS())}
            total={total}
            tone={items[0]?.severity === 'critical' ? 'danger' : 'warning'}
            none={t(OVERVIEW_TEXTS.OVERVIEW_NO_ALARMS())}
            items={items}
            keyOf={({ id }) => id}
            nameOf={({ message }) => message}
            timeOf={({ triggered_at }) => formatInstant(triggered_at, 'dateTime', language)}
            link={<Link to="/alarms">{t(OVERVIEW_TEXTS.OVERVIEW_SHOW_ALL())}</Link>}
          />
        )}
      </Loaded>
    </section>
  )
}

interface SilentProps {
  readonly site: SiteFilter
}

const SILENT = { is_online: false, limit: LISTED_MAX } as const

/** Gateways of the site; a facility has none of its own, so those of its subregion. */
export function SilentGateways({ site }: SilentProps) {
  const t = useText()
  const query = useGet(
    '/api/gateways',
    { query: { ...SILENT, subregion_id: site.subregion_id } },
    { refetchInterval: REFRESH_MS },
  )
  return (
    <SilentCard
      query={query}
      title={t(OVERVIEW_TEXTS.OVERVIEW_SILENT_GATEWAYS())}
      tone="danger"
      none={t(OVERVIEW_TEXTS.OVERVIEW_NO_SILENT_GATEWAYS())}
      nameOf={({ id, name }) => (
        <Link to="/gateways/$gatewayId" params={{ gatewayId: id }}>
          {name}
        </Link>
      )}
      link={
        <Link to="/gateways" search={{ state: 'silent' }}>
          {t(OVERVIEW_TEXTS.OVERVIEW_SHOW_ALL())}
        </Link>
      }
    />
  )
}

export function SilentDevices({ site }: SilentProps) {
  const t = useText()
  const query = useGet(
    '/api/devices',
    { query: { ...SILENT, subregion_id: site.subregion_id } },
    { refetchInterval: REFRESH_MS },
  )
  return (
    <SilentCard
      query={query}
      title={t(OVERVIEW_TEXTS.OVERVIEW_SILENT_DEVICES())}
      tone="warning"
      none={t(OVERVIEW_TEXTS.OVERVIEW_NO_SILENT_DEVICES())}
      nameOf={({ id, name }) => (
        <Link to="/devices/$deviceId" params={{ deviceId: id }}>
          {name}
        </Link>
      )}
      link={
        <Link to="/devices" search={{ state: 'silent' }}>
          {t(OVERVIEW_TEXTS.OVERVIEW_SHOW_ALL())}
        </Link>
      }
    />
  )
}

interface Silent {
  readonly id: string
  readonly name: string
  readonly last_seen: string | null
}

interface SilentCardProps
  extends Pick<AttentionCardProps<Silent>, 'title' | 'tone' | 'none' | 'nameOf' | 'link'> {
  readonly query: Query<{ readonly items: readonly Silent[]; readonly total: number }>
}

/** Records that are silent, with the time of their last message. */
function SilentCard({ query, ...card }: SilentCardProps) {
  const t = useText()
  const { language } = useLanguage()
  const since = ({ last_seen }: Silent) =>
    last_seen === null
      ? t(OVERVIEW_TEXTS.OVERVIEW_NEVER())
      : t(OVERVIEW_TEXTS.OVERVIEW_SINCE({ at: formatInstant(last_seen, 'dateTime', language) }))
  return (
    <section className="card">
      <Loaded query={query}>
        {({ items, total }) => (
          <AttentionCard {...card} total={total} items={items} keyOf={({ id }) => id} timeOf={since} />
        )}
      </Loaded>
    </section>
  )
}
