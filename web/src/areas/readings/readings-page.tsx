import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { ResponseOf } from '../../../../clients/typescript/src/operations.ts'
import { useGet } from '../../api/queries.ts'
import { useCan } from '../../api/session.tsx'
import { formatInstant, formatMonth } from '../../kernel/dates.ts'
import { useLanguage, useText } from '../../kernel/text.tsx'
import { KIND_TEXTS } from '../../records/kind-texts.ts'
import { Button } from '../../ui/controls.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { Loaded, Page } from '../../ui/page.tsx'
import { PageButtons } from '../../ui/pager.tsx'
import { ImportMonths } from './import-months.tsx'
import { MeterDataImport } from './meter-data-import.tsx'
import { ReadingImport } from './reading-import.tsx'
import { READING_TEXTS } from './texts.ts'

type LoggedImport = ResponseOf<'GET', '/api/osos/imports'>[number]

const PAGE_SIZE = 20
const GROUPS_MAX = 200
const STALE = { stale: true }

/** The official hourly readings (OSOS): import of files, the earlier imports, and their effect on netted months. */
export function ReadingsPage() {
  const t = useText()
  const can = useCan()
  return (
    <Page
      title={t(READING_TEXTS.READINGS())}
      actions={
        <Link className="button" to="/registry" search={{ tab: 'installations' }}>
          {t(KIND_TEXTS.KIND_INSTALLATIONS())}
        </Link>
      }
    >
      {can('manage:osos') && <ReadingImport />}
      {can('manage:osos') && <MeterDataImport />}
      {can('read:netting') && <Effects />}
      <Imports />
    </Page>
  )
}

/** Groups whose stored results differ from the readings. */
function Effects() {
  const t = useText()
  const { language } = useLanguage()
  const query = useGet('/api/mahsuplasma/groups', { query: { ...STALE, limit: GROUPS_MAX } })
  return (
    <section className="stack">
      <Loaded query={query}>
        {(groups) => (
          <>
            <DataTable
              report={{ list: 'groups', query: STALE }}
              caption={t(READING_TEXTS.READINGS_EFFECTS())}
              rows={groups}
              keyOf={({ id }) => id}
              empty={t(READING_TEXTS.READINGS_NO_EFFECTS())}
              columns={[
                {
                  id: 'group',
                  title: t(READING_TEXTS.READINGS_GROUP()),
                  cell: ({ id, name }) => (
                    <Link to="/netting/groups/$groupId/runs" params={{ groupId: id }}>
                      {name}
                    </Link>
                  ),
                },
                {
                  id: 'months',
                  title: t(READING_TEXTS.READINGS_MONTHS()),
                  cell: ({ stale_periods }) =>
                    stale_periods.map((period) => formatMonth(period, language)).join(', '),
                },
              ]}
            />
            {groups.length > 0 && <p className="muted">{t(READING_TEXTS.READINGS_EFFECTS_NOTE())}</p>}
          </>
        )}
      </Loaded>
    </section>
  )
}

function Imports() {
  const t = useText()
  const { language } = useLanguage()
  const can = useCan()
  const [page, setPage] = useState(1)
  const [shown, setShown] = useState<LoggedImport>()
  const nameOf = ({ file_name, created_at }: LoggedImport) =>
    file_name ?? formatInstant(created_at, 'dateTime', language)
  const query = useGet('/api/osos/imports', {
    query: { limit: PAGE_SIZE + 1, offset: (page - 1) * PAGE_SIZE },
  })
  const installations = useGet('/api/osos/installations', { query: { limit: GROUPS_MAX } })
  const numberOf = (id: string) =>
    installations.data?.find((one) => one.id === id)?.installation_no ?? id.slice(0, 8)
  const count = (id: 'rows_read' | 'accepted' | 'corrected' | 'suspect' | 'rejected', title: string) => ({
    id,
    title,
    isNumber: true,
    cell: (row: Readonly<Record<typeof id, number>>) => row[id].toLocaleString(language),
  })
  return (
    <section className="stack">
      <Loaded query={query}>
        {(rows) => (
          <>
            <DataTable
              report={{ list: 'osos_imports' }}
              caption={t(READING_TEXTS.READINGS_IMPORTS())}
              rows={rows.slice(0, PAGE_SIZE)}
              keyOf={({ id }) => id}
              empty={t(READING_TEXTS.READINGS_NO_IMPORTS())}
              columns={[
                {
                  id: 'at',
                  title: t(READING_TEXTS.READINGS_AT()),
                  cell: ({ created_at }) => formatInstant(created_at, 'dateTime', language),
                },
                {
                  id: 'file',
                  title: t(READING_TEXTS.READINGS_FILE()),
                  cell: ({ file_name }) => file_name ?? t(READING_TEXTS.READINGS_REQUEST()),
                },
                {
                  id: 'installation',
                  title: t(READING_TEXTS.READINGS_INSTALLATION()),
                  cell: ({ installation_id }) =>
                    installation_id === null
                      ? t(READING_TEXTS.READINGS_SEVERAL())
                      : numberOf(installation_id),
                },
                count('rows_read', t(READING_TEXTS.READINGS_READ())),
                count('accepted', t(READING_TEXTS.READINGS_ACCEPTED())),
                count('corrected', t(READING_TEXTS.READINGS_CORRECTED())),
                count('suspect', t(READING_TEXTS.READINGS_SUSPECT())),
                count('rejected', t(READING_TEXTS.READINGS_REJECTED())),
                ...(can('read:netting')
                  ? [
                      {
                        id: 'months',
                        title: t(READING_TEXTS.READINGS_MONTHS()),
                        cell: (row: LoggedImport) => (
                          <Button
                            aria-label={t(READING_TEXTS.READINGS_MONTHS_OF({ name: nameOf(row) }))}
                            onPress={() => setShown(row)}
                          >
                            {t(READING_TEXTS.READINGS_MONTHS())}
                          </Button>
                        ),
                      },
                    ]
                  : []),
              ]}
            />
            {shown && <ImportMonths id={shown.id} name={nameOf(shown)} importedAt={shown.created_at} />}
            <PageButtons page={page} hasNext={rows.length > PAGE_SIZE} onPage={setPage} />
          </>
        )}
      </Loaded>
    </section>
  )
}
