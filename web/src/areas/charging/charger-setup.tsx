/** What a charger is sent besides commands: profiles, its local list, certificates. And the files it was asked for. */
import { useClient } from '../../api/session.tsx'
import { useText } from '../../kernel/text.tsx'
import { CHARGING_KIND_TEXTS } from '../../records/charging-kind-texts.ts'
import {
  CERTIFICATE_ACTIONS,
  CERTIFICATES,
  CHARGER_FILES,
  LOCAL_LIST_ACTIONS,
  PROFILE_ACTIONS,
  PROFILES,
  TAG,
} from '../../records/charging-resources.ts'
import { ActionButtons } from '../../records/record-buttons.tsx'
import { RecordList } from '../../records/record-list.tsx'
import { SettingsForm } from '../../records/settings-form.tsx'
import { DownloadButton } from '../../ui/download.tsx'
import type { Charger } from './states.ts'

interface ChargerProps {
  readonly charger: Charger
}

export function ChargerProfiles({ charger }: ChargerProps) {
  return (
    <>
      <div className="row">
        <ActionButtons record={{ ...charger }} actions={PROFILE_ACTIONS} />
      </div>
      <RecordList resource={PROFILES} parentId={charger.id} />
    </>
  )
}

export function ChargerCertificates({ charger }: ChargerProps) {
  return (
    <>
      <div className="row">
        <ActionButtons record={{ ...charger }} actions={CERTIFICATE_ACTIONS} />
      </div>
      <RecordList resource={CERTIFICATES} parentId={charger.id} />
    </>
  )
}

export function ChargerFiles({ charger: { id } }: ChargerProps) {
  const t = useText()
  const { api } = useClient()
  return (
    <RecordList
      resource={CHARGER_FILES}
      parentId={id}
      linkOf={(file, text) =>
        file['state'] === 'received' ? (
          <DownloadButton
            label={`${t(CHARGING_KIND_TEXTS.CHARGING_KIND_DOWNLOAD())}: ${text}`}
            name={String(file['file_name'] ?? text)}
            read={() =>
              api.get('/api/ocpp/chargers/{id}/files/{file_id}/download', { path: { id, file_id: file.id } })
            }
          />
        ) : (
          text
        )
      }
    />
  )
}

export function ChargerLocalList({ charger }: ChargerProps) {
  return (
    <SettingsForm
      title={CHARGING_KIND_TEXTS.CHARGING_KIND_LOCAL_LIST}
      note={CHARGING_KIND_TEXTS.CHARGING_KIND_LOCAL_LIST_NOTE}
      path="/api/ocpp/chargers/{id}/local-list"
      parameters={{ id: charger.id }}
      method="PUT"
      permission="manage:charger"
      references={{ tag_ids: TAG }}
      recordOf={recordOfLocalList}
      shown={['state', 'reason', 'version', 'synced_at']}
      isReplacing
      actions={<ActionButtons record={{ ...charger }} actions={LOCAL_LIST_ACTIONS} />}
    />
  )
}

/** A list without a choice contains all tags, which is another state than a choice of all of them. */
function recordOfLocalList(data: unknown): Readonly<Record<string, unknown>> {
  const list = data as { readonly is_chosen: boolean; readonly tag_ids: readonly string[] }
  return { ...list, tag_ids: list.is_chosen ? list.tag_ids : null }
}
