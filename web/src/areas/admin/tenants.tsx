import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useGet } from '../../api/queries.ts'
import { useClient } from '../../api/session.tsx'
import { useText } from '../../kernel/text.tsx'
import { TENANT_PATH, TENANTS } from '../../records/admin-resources.ts'
import { ADMIN_KIND_TEXTS } from '../../records/admin-texts.ts'
import { RecordList } from '../../records/record-list.tsx'
import type { AnyRecord } from '../../records/resource.ts'
import { Button } from '../../ui/controls.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Form } from '../../ui/form.tsx'
import { NativeField } from '../../ui/inputs.tsx'
import { Loaded } from '../../ui/page.tsx'
import { UI_TEXTS } from '../../ui/texts.ts'
import { Quotas } from './quotas.tsx'
import { ADMIN_TEXTS } from './texts.ts'

const DELETIONS = '/api/v1/admin/tenant-deletions'
const REFRESH_MS = 2_000
/** Deletions that are shown; they are rare. */
const SHOWN = 20

/** All tenants of the service, their quotas, and their deletions with the progress. */
export function Tenants() {
  const [opened, setOpened] = useState<{ readonly kind: 'quotas' | 'delete'; readonly tenant: AnyRecord }>()
  const close = () => setOpened(undefined)
  return (
    <>
      <RecordList
        resource={TENANTS}
        more={(tenant) => <TenantButtons tenant={tenant} onOpen={(kind) => setOpened({ kind, tenant })} />}
      />
      {opened?.kind === 'quotas' && <Quotas tenant={opened.tenant} onClose={close} />}
      {opened?.kind === 'delete' && <DeleteTenant tenant={opened.tenant} onClose={close} />}
      <Deletions />
    </>
  )
}

interface TenantButtonsProps {
  readonly tenant: AnyRecord
  readonly onOpen: (kind: 'quotas' | 'delete') => void
}

function TenantButtons({ tenant, onOpen }: TenantButtonsProps) {
  const t = useText()
  const name = String(tenant['name'])
  return (
    <>
      <Button
        aria-label={`${t(ADMIN_KIND_TEXTS.ADMIN_KIND_QUOTAS())}: ${name}`}
        onPress={() => onOpen('quotas')}
      >
        {t(ADMIN_KIND_TEXTS.ADMIN_KIND_QUOTAS())}
      </Button>
      {tenant['is_active'] === false && (
        <Button aria-label={t(ADMIN_TEXTS.ADMIN_DELETE_ONE({ name }))} onPress={() => onOpen('delete')}>
          {t(UI_TEXTS.UI_DELETE())}
        </Button>
      )}
    </>
  )
}

interface TenantDialogProps {
  readonly tenant: AnyRecord
  readonly onClose: () => void
}

/** The name of the tenant confirms the deletion; the service compares it. */
function DeleteTenant({ tenant, onClose }: TenantDialogProps) {
  const t = useText()
  const { api } = useClient()
  const queries = useQueryClient()
  const [typed, setTyped] = useState('')
  const name = String(tenant['name'])
  const remove = async () => {
    await api.delete(TENANT_PATH, { path: { id: tenant.id }, query: { name: typed } })
    await queries.invalidateQueries()
    onClose()
  }
  return (
    <Dialog title={t(ADMIN_KIND_TEXTS.ADMIN_KIND_DELETE_TENANT({ name }))} onClose={onClose}>
      <p>{t(ADMIN_KIND_TEXTS.ADMIN_KIND_DELETE_TENANT_NOTE())}</p>
      <Form submitText={t(UI_TEXTS.UI_DELETE())} onSubmit={remove} isDisabled={typed === ''}>
        <NativeField
          type="text"
          label={t(ADMIN_KIND_TEXTS.ADMIN_KIND_TENANT_NAME())}
          value={typed}
          onChange={setTyped}
          isRequired
        />
      </Form>
      <div>
        <Button onPress={onClose}>{t(UI_TEXTS.UI_CANCEL())}</Button>
      </div>
    </Dialog>
  )
}

function Deletions() {
  const t = useText()
  const query = useGet(DELETIONS, { query: { limit: SHOWN } }, { refetchInterval: REFRESH_MS })
  return (
    <section className="stack">
      <h2>{t(ADMIN_KIND_TEXTS.ADMIN_KIND_DELETIONS())}</h2>
      <Loaded query={query}>
        {({ items }) => (
          <DataTable
            report={{ list: 'tenant_deletions' }}
            caption={t(ADMIN_KIND_TEXTS.ADMIN_KIND_DELETIONS())}
            rows={items}
            keyOf={({ id }) => id}
            empty={t(UI_TEXTS.UI_NONE())}
            columns={[
              { id: 'name', title: t(ADMIN_TEXTS.ADMIN_NAME()), cell: ({ name }) => name },
              { id: 'actor', title: t(ADMIN_TEXTS.ADMIN_ACTOR()), cell: (row) => row.requested_by_email },
              {
                id: 'progress',
                title: t(ADMIN_TEXTS.ADMIN_STATE()),
                cell: ({ tables_done, tables_total, rows_deleted }) => (
                  <>
                    <progress
                      className="progress"
                      aria-label={t(ADMIN_TEXTS.ADMIN_STATE())}
                      value={tables_done}
                      max={Math.max(1, tables_total)}
                    />
                    {t(
                      ADMIN_KIND_TEXTS.ADMIN_KIND_DELETION({
                        done: tables_done,
                        total: tables_total,
                        rows: rows_deleted,
                      }),
                    )}
                  </>
                ),
              },
            ]}
          />
        )}
      </Loaded>
    </section>
  )
}
