import type { ResponseOf } from '../../../../clients/typescript/src/operations.ts'
import { formatInstant } from '../../kernel/dates.ts'
import { useLanguage, useText } from '../../kernel/text.tsx'
import { Notice } from '../../ui/controls.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { POLICY_TEXTS } from './policy-texts.ts'

interface PolicyPreviewProps {
  readonly preview: ResponseOf<'POST', '/api/alarms/preview'>
}

/** The incidents that a policy would have opened. */
export function PolicyPreview({ preview }: PolicyPreviewProps) {
  const t = useText()
  const { language } = useLanguage()
  const { incidents_total, devices_judged, samples_judged, is_truncated, truncated_reasons } = preview
  const rows = preview.items.flatMap(({ device_id, device_name, incidents }) =>
    incidents.map((incident) => ({ ...incident, device_id, device_name })),
  )
  const result = { incidents: incidents_total, devices: devices_judged, samples: samples_judged }
  return (
    <>
      <p role="status">{t(POLICY_TEXTS.POLICIES_RESULT(result))}</p>
      {is_truncated && (
        <Notice tone="warning">
          {t(POLICY_TEXTS.POLICIES_TRUNCATED({ reasons: truncated_reasons.join(', ') }))}
        </Notice>
      )}
      <DataTable
        report={null}
        caption={t(POLICY_TEXTS.POLICIES_INCIDENTS())}
        rows={rows}
        keyOf={({ device_id, from }) => `${device_id} ${from}`}
        empty={t(POLICY_TEXTS.POLICIES_NO_INCIDENTS())}
        columns={[
          {
            id: 'device',
            title: t(POLICY_TEXTS.POLICIES_DEVICE()),
            cell: ({ device_name }) => device_name,
          },
          {
            id: 'from',
            title: t(POLICY_TEXTS.POLICIES_FROM()),
            cell: ({ from }) => formatInstant(from, 'dateTime', language),
          },
          {
            id: 'to',
            title: t(POLICY_TEXTS.POLICIES_TO()),
            cell: ({ to }) =>
              to === null ? t(POLICY_TEXTS.POLICIES_STILL_OPEN()) : formatInstant(to, 'dateTime', language),
          },
          {
            id: 'peak',
            title: t(POLICY_TEXTS.POLICIES_PEAK()),
            isNumber: true,
            cell: ({ peak }) => (peak === null ? '' : peak.toLocaleString(language)),
          },
        ]}
      />
    </>
  )
}
