import { useState } from 'react'
import type { ListItem } from '../../../../clients/typescript/src/index.ts'
import { useGet } from '../../api/queries.ts'
import { useCan } from '../../api/session.tsx'
import { formatInstant } from '../../kernel/dates.ts'
import { useLanguage, useText } from '../../kernel/text.tsx'
import { RecordButtons } from '../../records/record-buttons.tsx'
import { FIRMWARE } from '../../records/update-resources.ts'
import { DataTable } from '../../ui/data-table.tsx'
import { PagedList } from '../../ui/paged-list.tsx'
import { StateTag } from '../../ui/states.tsx'
import { UI_TEXTS } from '../../ui/texts.ts'
import { FirmwareUpload } from './firmware-upload.tsx'
import { FIRMWARE_STATES } from './states.ts'
import { UPDATE_TEXTS } from './texts.ts'

const PAGE_SIZE = 50
type Version = ListItem<'/api/firmware/versions'>

export function FirmwareVersions() {
  const t = useText()
  const { language } = useLanguage()
  const can = useCan()
  const mayChange = can('manage:firmware') || can('manage:ota')
  const [page, setPage] = useState(1)
  const query = useGet('/api/firmware/versions', {
    query: { skip: (page - 1) * PAGE_SIZE, limit: PAGE_SIZE },
  })
  return (
    <PagedList query={query} page={page} pageSize={PAGE_SIZE} onPage={setPage}>
      {({ items }) => (
        <>
          {can('manage:firmware') && <FirmwareUpload />}
          <DataTable
            report={{ list: 'firmware_versions' }}
            caption={t(UPDATE_TEXTS.UPDATES_FIRMWARE())}
            rows={items}
            keyOf={({ id }) => id}
            empty={t(UPDATE_TEXTS.UPDATES_NO_FIRMWARE())}
            columns={[
              {
                id: 'version',
                title: t(UPDATE_TEXTS.UPDATES_VERSION()),
                cell: ({ version }) => version,
              },
              {
                id: 'model',
                title: t(UPDATE_TEXTS.UPDATES_MODEL()),
                cell: ({ device_model }) => device_model,
              },
              {
                id: 'state',
                title: t(UPDATE_TEXTS.UPDATES_STATE()),
                cell: ({ status }) => <StateTag states={FIRMWARE_STATES} value={status} />,
              },
              { id: 'file', title: t(UPDATE_TEXTS.UPDATES_FILE()), cell: ({ file_name }) => file_name },
              {
                id: 'size',
                title: t(UPDATE_TEXTS.UPDATES_SIZE()),
                isNumber: true,
                cell: ({ size_bytes }) => `${size_bytes.toLocaleString(language)} B`,
              },
              {
                id: 'created',
                title: t(UPDATE_TEXTS.UPDATES_CREATED()),
                cell: ({ created_at }) => formatInstant(created_at, 'dateTime', language),
              },
              ...(mayChange
                ? [
                    {
                      id: 'actions',
                      title: t(UI_TEXTS.UI_ACTIONS()),
                      cell: (version: Version) => (
                        <RecordButtons resource={FIRMWARE} record={{ ...version }} />
                      ),
                    },
                  ]
                : []),
            ]}
          />
        </>
      )}
    </PagedList>
  )
}
