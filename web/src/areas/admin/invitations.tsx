import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useGet } from '../../api/queries.ts'
import { useCan, useClient } from '../../api/session.tsx'
import { formatInstant } from '../../kernel/dates.ts'
import { useLanguage, useText } from '../../kernel/text.tsx'
import { useAction } from '../../ui/action.tsx'
import { Button, Notice, Tag, TextField } from '../../ui/controls.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { Form } from '../../ui/form.tsx'
import { PagedList } from '../../ui/paged-list.tsx'
import { UI_TEXTS } from '../../ui/texts.ts'
import { RoleChoice } from './role-choice.tsx'
import type { Role } from './states.ts'
import { ADMIN_TEXTS } from './texts.ts'

const INVITATIONS = '/api/users/invitations'
const PAGE_SIZE = 20

/** Invites a user by mail. */
export function Invitation({ roles }: { readonly roles: readonly Role[] }) {
  const t = useText()
  const { api, language } = useClient()
  const queries = useQueryClient()
  const [email, setEmail] = useState('')
  const [selected, setSelected] = useState<readonly string[]>([])
  const [invited, setInvited] = useState<string>()
  const submit = async () => {
    setInvited(undefined)
    const body = { email: email.trim(), role_ids: [...selected], language }
    const { data } = await api.post(INVITATIONS, { body })
    setInvited(data.email)
    setEmail('')
    await queries.invalidateQueries({ queryKey: [INVITATIONS] })
  }
  return (
    <section className="card">
      <h2>{t(ADMIN_TEXTS.ADMIN_INVITE())}</h2>
      {invited !== undefined && (
        <Notice tone="success">{t(ADMIN_TEXTS.ADMIN_INVITED({ email: invited }))}</Notice>
      )}
      <Form submitText={t(ADMIN_TEXTS.ADMIN_INVITE())} onSubmit={submit}>
        <TextField
          label={t(ADMIN_TEXTS.ADMIN_EMAIL())}
          type="email"
          value={email}
          onChange={setEmail}
          isRequired
        />
        <RoleChoice roles={roles} selected={selected} onChange={setSelected} />
      </Form>
    </section>
  )
}

/** The invitations that were not accepted yet; nothing is shown when there is none. */
export function PendingInvitations({ roles }: { readonly roles: readonly Role[] }) {
  const t = useText()
  const can = useCan()
  const { language } = useLanguage()
  const [page, setPage] = useState(1)
  const query = useGet(INVITATIONS, { query: { skip: (page - 1) * PAGE_SIZE, limit: PAGE_SIZE } })
  const names = new Map(roles.map(({ id, name }) => [id, name]))
  if (query.data?.total === 0) return null
  return (
    <PagedList query={query} page={page} pageSize={PAGE_SIZE} onPage={setPage}>
      {({ items }) => (
        <DataTable
          report={{ list: 'invitations' }}
          caption={t(ADMIN_TEXTS.ADMIN_INVITATIONS())}
          rows={items}
          keyOf={({ id }) => id}
          empty=""
          columns={[
            { id: 'email', title: t(ADMIN_TEXTS.ADMIN_EMAIL()), cell: ({ email }) => email },
            {
              id: 'roles',
              title: t(ADMIN_TEXTS.ADMIN_ROLES()),
              cell: ({ role_ids }) => role_ids.map((id) => names.get(id) ?? id).join(', '),
            },
            {
              id: 'expires',
              title: t(ADMIN_TEXTS.ADMIN_EXPIRES()),
              cell: ({ expires_at }) => (
                <span className="row">
                  {formatInstant(expires_at, 'dateTime', language)}
                  {Date.parse(expires_at) < Date.now() && (
                    <Tag tone="warning">{t(ADMIN_TEXTS.ADMIN_EXPIRED())}</Tag>
                  )}
                </span>
              ),
            },
            ...(can('manage:user')
              ? [
                  {
                    id: 'actions',
                    title: t(UI_TEXTS.UI_ACTIONS()),
                    cell: (invitation: { readonly id: string; readonly email: string }) => (
                      <Revocation invitation={invitation} />
                    ),
                  },
                ]
              : []),
          ]}
        />
      )}
    </PagedList>
  )
}

function Revocation({
  invitation: { id, email },
}: {
  readonly invitation: { readonly id: string; readonly email: string }
}) {
  const t = useText()
  const { api } = useClient()
  const { run, isRunning, notice } = useAction([INVITATIONS])
  const revoke = async () => {
    await api.delete('/api/users/invitations/{id}', { path: { id } })
    return undefined
  }
  return (
    <span className="row">
      <Button
        isDisabled={isRunning}
        aria-label={t(ADMIN_TEXTS.ADMIN_REVOKE_ONE({ name: email }))}
        onPress={() => void run(revoke)}
      >
        {t(ADMIN_TEXTS.ADMIN_REVOKE())}
      </Button>
      {notice}
    </span>
  )
}
