import { useClient } from '../../api/session.tsx'
import { useText } from '../../kernel/text.tsx'
import { CHARGING_KIND_TEXTS } from '../../records/charging-kind-texts.ts'
import { EXPORTS } from '../../records/export-resources.ts'
import { RecordList } from '../../records/record-list.tsx'
import { DownloadButton } from '../../ui/download.tsx'
import { Page } from '../../ui/page.tsx'

/** Exports of measurements: their form, their progress, and their files. */
export function ExportsPage() {
  const t = useText()
  const { api } = useClient()
  return (
    <Page title={t(EXPORTS.title())}>
      <RecordList
        resource={EXPORTS}
        linkOf={({ id, status }, text) =>
          status === 'completed' ? (
            <DownloadButton
              label={`${t(CHARGING_KIND_TEXTS.CHARGING_KIND_DOWNLOAD())}: ${text}`}
              name={text}
              read={() => api.get('/api/measurements/exports/{id}/download', { path: { id } })}
            />
          ) : (
            text
          )
        }
      />
    </Page>
  )
}
