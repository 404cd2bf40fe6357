import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useGet } from '../../api/queries.ts'
import { useCan } from '../../api/session.tsx'
import { formatInstant } from '../../kernel/dates.ts'
import { useLanguage, useText } from '../../kernel/text.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { Page } from '../../ui/page.tsx'
import { PagedList } from '../../ui/paged-list.tsx'
import { StateTag } from '../../ui/states.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { UI_TEXTS } from '../../ui/texts.ts'
import { FirmwareVersions } from './firmware-versions.tsx'
import { RolloutProgress } from './rollout-progress.tsx'
import { BATCH_STATES } from './states.ts'
import { UPDATE_TEXTS } from './texts.ts'
import { UpdateTable } from './update-table.tsx'

const PAGE_SIZE = 20
const REFRESH_MS = 5_000

/** Rollouts and single updates with their progress, and the firmware versions. */
export function UpdatesPage() {
  const t = useText()
  const can = useCan()
  const { tab = 'batches' } = useSearch({ from: '/signed-in/updates' })
  const navigate = useNavigate({ from: '/updates' })
  return (
    <Page title={t(UPDATE_TEXTS.UPDATES())}>
      <Tabs
        label={t(UI_TEXTS.UI_PARTS())}
        selected={tab}
        onSelect={(next) => void navigate({ search: { tab: next }, replace: true })}
        tabs={[
          { name: 'batches', title: t(UPDATE_TEXTS.UPDATES_BATCHES()) },
          { name: 'updates', title: t(UPDATE_TEXTS.UPDATES_SINGLE()) },
          ...(can('read:firmware')
            ? [{ name: 'firmware', title: t(UPDATE_TEXTS.UPDATES_FIRMWARE()) } as const]
            : []),
        ]}
      >
        {tab === 'batches' && <Batches />}
        {tab === 'updates' && <UpdateTable />}
        {tab === 'firmware' && <FirmwareVersions />}
      </Tabs>
    </Page>
  )
}

function Batches() {
  const t = useText()
  const { language } = useLanguage()
  const { page = 1 } = useSearch({ from: '/signed-in/updates' })
  const query = useGet(
    '/api/ota/batches',
    { query: { skip: (page - 1) * PAGE_SIZE, limit: PAGE_SIZE } },
    { refetchInterval: REFRESH_MS },
  )
  return (
    <PagedList query={query} page={page} pageSize={PAGE_SIZE}>
      {({ items }) => (
        <>
          <DataTable
            report={{ list: 'ota_batches' }}
            caption={t(UPDATE_TEXTS.UPDATES_BATCHES())}
            rows={items}
            keyOf={({ id }) => id}
            empty={t(UPDATE_TEXTS.UPDATES_NO_BATCHES())}
            columns={[
              {
                id: 'created',
                title: t(UPDATE_TEXTS.UPDATES_CREATED()),
                cell: ({ id, created_at }) => (
                  <Link to="/updates/batches/$batchId" params={{ batchId: id }}>
                    {formatInstant(created_at, 'dateTime', language)}
                  </Link>
                ),
              },
              {
                id: 'state',
                title: t(UPDATE_TEXTS.UPDATES_STATE()),
                cell: ({ status }) => <StateTag states={BATCH_STATES} value={status} />,
              },
              {
                id: 'wave',
                title: t(UPDATE_TEXTS.UPDATES_WAVE()),
                cell: ({ wave, wave_sizes }) =>
                  t(UPDATE_TEXTS.UPDATES_WAVE_OF({ wave, count: wave_sizes.length })),
              },
              {
                id: 'progress',
                title: t(UPDATE_TEXTS.UPDATES_PROGRESS()),
                cell: (batch) => <RolloutProgress batch={batch} />,
              },
              {
                id: 'reason',
                title: t(UPDATE_TEXTS.UPDATES_REASON()),
                cell: ({ reason }) => reason ?? '',
              },
            ]}
          />
        </>
      )}
    </PagedList>
  )
}
