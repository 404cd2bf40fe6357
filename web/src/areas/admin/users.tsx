import { useQueryClient } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useGet } from '../../api/queries.ts'
import { useCan, useClient, useProfile } from '../../api/session.tsx'
import { leave, leaveFrom } from '../../forms/unsaved.ts'
import { formatInstant } from '../../kernel/dates.ts'
import { useLanguage, useText } from '../../kernel/text.tsx'
import { USERS as USER_FORMS } from '../../records/admin-resources.ts'
import { CreateButton, RecordButtons } from '../../records/record-buttons.tsx'
import { useAction } from '../../ui/action.tsx'
import { Button, Tag, TextField } from '../../ui/controls.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import type { TableReport } from '../../ui/export-menu.tsx'
import { Form } from '../../ui/form.tsx'
import { PagedList, SearchFilter, useFilter } from '../../ui/paged-list.tsx'
import { StateTag } from '../../ui/states.tsx'
import { UI_TEXTS } from '../../ui/texts.ts'
import { Invitation, PendingInvitations } from './invitations.tsx'
import { RoleChoice } from './role-choice.tsx'
import { type Role, USER_STATES, type User } from './states.ts'
import { ADMIN_TEXTS } from './texts.ts'

const PAGE_SIZE = 50
const USERS = '/api/users'
/** The largest page of roles; tenants have a few. */
const ROLES_MAX = 200

/** The users of the tenant: invitations, roles and whether they may sign in. */
export function Users() {
  const can = useCan()
  const { search, page = 1 } = useSearch({ from: '/signed-in/administration' })
  const [edited, setEdited] = useState<User>()
  const filters = { sort_by: 'email', sort_order: 'asc', search } as const
  const query = useGet(USERS, {
    query: { skip: (page - 1) * PAGE_SIZE, limit: PAGE_SIZE, ...filters },
  })
  const roles = useGet('/api/roles', { query: { limit: ROLES_MAX } }, { enabled: can('read:role') })
  const known = roles.data?.items ?? []
  return (
    <>
      {can('manage:user') && <Invitation roles={known} />}
      <div>
        <CreateButton resource={USER_FORMS} />
      </div>
      <PendingInvitations roles={known} />
      {edited && <UserRoles key={edited.id} user={edited} roles={known} onEnd={() => setEdited(undefined)} />}
      <div className="row">
        <SearchFilter value={search} onFilter={useFilter()} />
      </div>
      <PagedList query={query} page={page} pageSize={PAGE_SIZE}>
        {({ items }) => (
          <>
            <UserTable
              report={{ list: 'users', query: filters }}
              users={items}
              roles={known}
              onEdit={(user) => leave(document, () => setEdited(user))}
            />
          </>
        )}
      </PagedList>
    </>
  )
}

interface UserTableProps {
  readonly report: TableReport
  readonly users: readonly User[]
  readonly roles: readonly Role[]
  readonly onEdit: (user: User) => void
}

function UserTable({ report, users, roles, onEdit }: UserTableProps) {
  const t = useText()
  const { language } = useLanguage()
  const names = new Map(roles.map(({ id, name }) => [id, name]))
  return (
    <DataTable
      report={report}
      caption={t(ADMIN_TEXTS.ADMIN_USERS())}
      rows={users}
      keyOf={({ id }) => id}
      empty={t(ADMIN_TEXTS.ADMIN_NO_USERS())}
      columns={[
        { id: 'email', title: t(ADMIN_TEXTS.ADMIN_EMAIL()), cell: ({ email }) => email },
        { id: 'name', title: t(ADMIN_TEXTS.ADMIN_NAME()), cell: ({ full_name }) => full_name ?? '' },
        {
          id: 'roles',
          title: t(ADMIN_TEXTS.ADMIN_ROLES()),
          cell: ({ role_ids }) => role_ids.map((id) => names.get(id) ?? '…').join(', '),
        },
        {
          id: 'state',
          title: t(ADMIN_TEXTS.ADMIN_STATE()),
          cell: ({ is_active, is_email_verified }) => (
            <span className="row">
              <StateTag states={USER_STATES} value={is_active ? 'active' : 'inactive'} />
              {!is_email_verified && <Tag tone="warning">{t(ADMIN_TEXTS.ADMIN_UNVERIFIED())}</Tag>}
            </span>
          ),
        },
        {
          id: 'login',
          title: t(ADMIN_TEXTS.ADMIN_LAST_LOGIN()),
          cell: ({ last_login_at }) =>
            last_login_at === null
              ? t(UI_TEXTS.UI_NONE())
              : formatInstant(last_login_at, 'dateTime', language),
        },
        {
          id: 'actions',
          title: t(UI_TEXTS.UI_ACTIONS()),
          cell: (user) => <UserActions user={user} onEdit={() => onEdit(user)} />,
        },
      ]}
    />
  )
}

function UserActions({ user, onEdit }: { readonly user: User; readonly onEdit: () => void }) {
  const t = useText()
  const can = useCan()
  const profile = useProfile()
  const { api } = useClient()
  const { run, isRunning, notice } = useAction([USERS])
  const { id, email, is_active } = user
  const toggle = async () => {
    await api.put('/api/users/{id}', { path: { id }, body: { is_active: !is_active } })
    return undefined
  }
  // Nobody can take away the own access by accident.
  if (!can('manage:user') || id === profile.id) return null
  return (
    <span className="row">
      <Button aria-label={t(ADMIN_TEXTS.ADMIN_EDIT_ONE({ name: email }))} onPress={onEdit}>
        {t(ADMIN_TEXTS.ADMIN_EDIT())}
      </Button>
      <Button
        isDisabled={isRunning}
        aria-label={t(
          is_active ? ADMIN_TEXTS.ADMIN_DEACTIVATE_ONE({ email }) : ADMIN_TEXTS.ADMIN_ACTIVATE_ONE({ email }),
        )}
        onPress={() => void run(toggle)}
      >
        {t(is_active ? ADMIN_TEXTS.ADMIN_DEACTIVATE() : ADMIN_TEXTS.ADMIN_ACTIVATE())}
      </Button>
      {notice}
      <RecordButtons resource={USER_FORMS} record={{ ...user }} />
    </span>
  )
}

interface UserRolesProps {
  readonly user: User
  readonly roles: readonly Role[]
  readonly onEnd: () => void
}

function UserRoles({ user, roles, onEnd }: UserRolesProps) {
  const t = useText()
  const { api } = useClient()
  const queries = useQueryClient()
  const [name, setName] = useState(user.full_name ?? '')
  const [selected, setSelected] = useState<readonly string[]>(user.role_ids)
  const submit = async () => {
    const body = { full_name: name.trim() === '' ? null : name.trim(), role_ids: [...selected] }
    await api.edit('/api/users/{id}', { path: { id: user.id } }, () => body)
    await queries.invalidateQueries({ queryKey: [USERS] })
    onEnd()
  }
  return (
    <section className="card">
      <h2>{user.email}</h2>
      <Form submitText={t(UI_TEXTS.UI_SAVE())} onSubmit={submit}>
        <TextField label={t(ADMIN_TEXTS.ADMIN_NAME())} value={name} onChange={setName} />
        <RoleChoice roles={roles} selected={selected} onChange={setSelected} />
      </Form>
      <Button onPress={(event) => leaveFrom(event, onEnd)}>{t(UI_TEXTS.UI_CANCEL())}</Button>
    </section>
  )
}
