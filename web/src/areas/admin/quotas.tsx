import { useQueryClient } from '@tanstack/react-query'
import { useGet } from '../../api/queries.ts'
import { useLanguage, useText } from '../../kernel/text.tsx'
import { ADMIN_KIND_TEXTS } from '../../records/admin-texts.ts'
import { fieldText } from '../../records/field-texts.ts'
import { RecordForm } from '../../records/record-form.tsx'
import type { AnyRecord } from '../../records/resource.ts'
import { DataTable } from '../../ui/data-table.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Loaded } from '../../ui/page.tsx'
import { UI_TEXTS } from '../../ui/texts.ts'

const QUOTAS = '/api/v1/admin/tenants/{id}/quotas'

interface QuotasProps {
  readonly tenant: AnyRecord
  readonly onClose: () => void
}

/** The quotas of a tenant with their use, and a form that replaces them. */
export function Quotas({ tenant, onClose }: QuotasProps) {
  const t = useText()
  const { language } = useLanguage()
  const queries = useQueryClient()
  const query = useGet(QUOTAS, { path: { id: tenant.id } })
  const number = (value: number) => value.toLocaleString(language)
  const done = () => {
    onClose()
    return queries.invalidateQueries({ queryKey: [QUOTAS] })
  }
  return (
    <Dialog title={`${t(ADMIN_KIND_TEXTS.ADMIN_KIND_QUOTAS())}: ${String(tenant['name'])}`} onClose={onClose}>
      <Loaded query={query}>
        {({ quotas }) => (
          <>
            <DataTable
              report={null}
              caption={t(ADMIN_KIND_TEXTS.ADMIN_KIND_QUOTAS())}
              rows={quotas}
              keyOf={({ name }) => name}
              empty={t(UI_TEXTS.UI_NONE())}
              columns={[
                {
                  id: 'name',
                  title: t(ADMIN_KIND_TEXTS.ADMIN_KIND_QUOTA()),
                  cell: ({ name }) => fieldText(name, t),
                },
                {
                  id: 'used',
                  title: t(ADMIN_KIND_TEXTS.ADMIN_KIND_USED()),
                  cell: ({ used }) => number(used),
                  isNumber: true,
                },
                {
                  id: 'limit',
                  title: t(ADMIN_KIND_TEXTS.ADMIN_KIND_LIMIT()),
                  cell: ({ limit }) =>
                    limit === null ? t(ADMIN_KIND_TEXTS.ADMIN_KIND_NO_LIMIT()) : number(limit),
                  isNumber: true,
                },
              ]}
            />
            <p className="muted">{t(ADMIN_KIND_TEXTS.ADMIN_KIND_QUOTAS_NOTE())}</p>
            <RecordForm
              method="PUT"
              path="/api/v1/admin/tenants/{id}/quotas"
              parameters={{ id: tenant.id }}
              original={{
                record: {
                  id: tenant.id,
                  ...Object.fromEntries(quotas.map(({ name, limit }) => [name, limit])),
                },
                etag: undefined,
              }}
              isReplacing
              submitText={t(UI_TEXTS.UI_SAVE())}
              onDone={() => void done()}
              onCancel={onClose}
            />
          </>
        )}
      </Loaded>
    </Dialog>
  )
}
