import type { ResponseOf } from '../../../../clients/typescript/src/operations.ts'
import { useText } from '../../kernel/text.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import type { TableReport } from '../../ui/export-menu.tsx'
import { StateTag } from '../../ui/states.tsx'
import { CHANGED_KINDS, CHANGES } from './states.ts'
import { EQUIPMENT_TEXTS } from './texts.ts'

/** The names of the present devices by their ids, which configurations contain. */
export type DeviceNames = ReadonlyMap<string, string>

interface ConfigurationChangesProps
  extends Pick<ResponseOf<'GET', '/api/gateways/{id}/rawconfig/preview'>, 'changes' | 'changes_total'> {
  readonly caption: string
  readonly report: TableReport
  readonly names: DeviceNames
}

/** The differences between two configurations of a gateway. */
export function ConfigurationChanges(props: ConfigurationChangesProps) {
  const { caption, report, names, changes, changes_total } = props
  const t = useText()
  return (
    <>
      <DataTable
        report={report}
        caption={caption}
        rows={changes}
        keyOf={({ kind, template_id, name }) => `${kind} ${template_id ?? ''} ${name}`}
        empty={t(EQUIPMENT_TEXTS.EQUIPMENT_NO_CHANGES())}
        columns={[
          {
            id: 'name',
            title: t(EQUIPMENT_TEXTS.EQUIPMENT_NAME()),
            cell: ({ name }) => names.get(name) ?? name,
          },
          {
            id: 'kind',
            title: t(EQUIPMENT_TEXTS.EQUIPMENT_KIND()),
            cell: ({ kind }) => <StateTag states={CHANGED_KINDS} value={kind} />,
          },
          {
            id: 'change',
            title: t(EQUIPMENT_TEXTS.EQUIPMENT_CHANGE()),
            cell: ({ change }) => <StateTag states={CHANGES} value={change} />,
          },
          {
            id: 'fields',
            title: t(EQUIPMENT_TEXTS.EQUIPMENT_FIELDS()),
            cell: ({ fields }) => fields.join(', '),
          },
        ]}
      />
      {changes_total > changes.length && (
        <p>{t(EQUIPMENT_TEXTS.EQUIPMENT_CHANGES_SHOWN({ shown: changes.length, total: changes_total }))}</p>
      )}
    </>
  )
}
