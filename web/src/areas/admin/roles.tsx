import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { PERMISSIONS, type Permission } from '../../../../src/kernel/permissions.ts'
import { useGet } from '../../api/queries.ts'
import { useCan, useClient } from '../../api/session.tsx'
import { leave, leaveFrom } from '../../forms/unsaved.ts'
import { useText } from '../../kernel/text.tsx'
import { useAction } from '../../ui/action.tsx'
import { Button, Tag, TextField } from '../../ui/controls.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { Form } from '../../ui/form.tsx'
import { Loaded } from '../../ui/page.tsx'
import { UI_TEXTS } from '../../ui/texts.ts'
import { PermissionChoice, PermissionSummary } from './permission-choice.tsx'
import type { Role } from './states.ts'
import { ADMIN_TEXTS } from './texts.ts'

const ROLES = '/api/roles'
const ROLES_MAX = 200
const ORDER = { sort_by: 'name', sort_order: 'asc' } as const

/** The roles of the tenant. The predefined ones cannot be changed. */
export function Roles() {
  const t = useText()
  const can = useCan()
  const [edited, setEdited] = useState<Role>()
  const query = useGet(ROLES, { query: { limit: ROLES_MAX, ...ORDER } })
  return (
    <>
      <Loaded query={query}>
        {({ items }) => (
          <DataTable
            report={{ list: 'roles', query: ORDER }}
            caption={t(ADMIN_TEXTS.ADMIN_ROLES())}
            rows={items}
            keyOf={({ id }) => id}
            empty={t(ADMIN_TEXTS.ADMIN_NO_ROLES())}
            columns={[
              { id: 'name', title: t(ADMIN_TEXTS.ADMIN_NAME()), cell: ({ name }) => name },
              {
                id: 'kind',
                title: t(ADMIN_TEXTS.ADMIN_KIND()),
                cell: ({ is_system }) => (
                  <Tag>{t(is_system ? ADMIN_TEXTS.ADMIN_SYSTEM_ROLE() : ADMIN_TEXTS.ADMIN_OWN_ROLE())}</Tag>
                ),
              },
              {
                id: 'permissions',
                title: t(ADMIN_TEXTS.ADMIN_PERMISSIONS()),
                cell: ({ permissions }) => <PermissionSummary permissions={permissions} />,
              },
              {
                id: 'actions',
                title: t(UI_TEXTS.UI_ACTIONS()),
                cell: (role) => (
                  <RoleActions role={role} onEdit={() => leave(document, () => setEdited(role))} />
                ),
              },
            ]}
          />
        )}
      </Loaded>
      {can('manage:role') && (
        <RoleForm key={edited?.id ?? ''} role={edited} onEnd={() => setEdited(undefined)} />
      )}
    </>
  )
}

function RoleActions({ role, onEdit }: { readonly role: Role; readonly onEdit: () => void }) {
  const t = useText()
  const can = useCan()
  const { api } = useClient()
  const { run, isRunning, notice } = useAction([ROLES])
  const { id, name, is_system } = role
  const remove = async () => {
    await api.delete('/api/roles/{id}', { path: { id } })
    return undefined
  }
  if (is_system || !can('manage:role')) return null
  return (
    <span className="row">
      <Button aria-label={t(ADMIN_TEXTS.ADMIN_EDIT_ONE({ name }))} onPress={onEdit}>
        {t(ADMIN_TEXTS.ADMIN_EDIT())}
      </Button>
      <Button
        aria-label={t(ADMIN_TEXTS.ADMIN_DELETE_ONE({ name }))}
        isDisabled={isRunning}
        onPress={() => void run(remove)}
      >
        {t(UI_TEXTS.UI_DELETE())}
      </Button>
      {notice}
    </span>
  )
}

interface RoleFormProps {
  /** Undefined for a new role. */
  readonly role: Role | undefined
  readonly onEnd: () => void
}

function RoleForm({ role, onEnd }: RoleFormProps) {
  const t = useText()
  const { api } = useClient()
  const queries = useQueryClient()
  const [name, setName] = useState(role?.name ?? '')
  const [permissions, setPermissions] = useState<readonly Permission[]>(
    PERMISSIONS.filter((permission) => role?.permissions.includes(permission)),
  )
  const submit = async () => {
    const body = { name: name.trim(), permissions: [...permissions] }
    if (role) await api.edit('/api/roles/{id}', { path: { id: role.id } }, () => body)
    else await api.post(ROLES, { body })
    await queries.invalidateQueries({ queryKey: [ROLES] })
    setName('')
    setPermissions([])
    onEnd()
  }
  return (
    <section className="card">
      <h2>{role ? role.name : t(ADMIN_TEXTS.ADMIN_CREATE_ROLE())}</h2>
      <Form submitText={role ? t(UI_TEXTS.UI_SAVE()) : t(ADMIN_TEXTS.ADMIN_CREATE_ROLE())} onSubmit={submit}>
        <TextField label={t(ADMIN_TEXTS.ADMIN_NAME())} value={name} onChange={setName} isRequired />
        <PermissionChoice selected={permissions} onChange={setPermissions} />
      </Form>
      {role && <Button onPress={(event) => leaveFrom(event, onEnd)}>{t(UI_TEXTS.UI_CANCEL())}</Button>}
    </section>
  )
}
