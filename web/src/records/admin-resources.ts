/** Users, machine keys, tenants and the accounts of the market platform. */
import { ADMIN_KIND_TEXTS } from './admin-texts.ts'
import { KIND_TEXTS } from './kind-texts.ts'
import type { RecordAction, Reference, Resource } from './resource.ts'

export const ROLE: Reference = { list: '/api/roles', hasSearch: true }
export const TENANT_PATH = '/api/v1/admin/tenants/{id}'

const common = { empty: KIND_TEXTS.KIND_EMPTY, paging: 'skip' } as const

/** What the page of users does not do itself. */
export const USERS: Resource = {
  ...common,
  name: 'users',
  permission: 'manage:user',
  title: ADMIN_KIND_TEXTS.ADMIN_KIND_USERS,
  createTitle: ADMIN_KIND_TEXTS.ADMIN_KIND_NEW_USER,
  createNote: ADMIN_KIND_TEXTS.ADMIN_KIND_NEW_USER_NOTE,
  list: '/api/users',
  item: { path: '/api/users/{id}', parameter: 'id', isReadable: true },
  isDeletable: true,
  label: 'email',
  columns: ['email'],
  references: { role_ids: ROLE },
  initial: { is_active: 'true' },
  actions: [
    {
      name: 'reset-totp',
      title: ADMIN_KIND_TEXTS.ADMIN_KIND_RESET_TOTP,
      note: ADMIN_KIND_TEXTS.ADMIN_KIND_RESET_TOTP_NOTE,
      method: 'DELETE',
      path: '/api/users/{id}/totp',
      permission: 'manage:user',
    },
    {
      name: 'unlink',
      title: ADMIN_KIND_TEXTS.ADMIN_KIND_UNLINK,
      note: ADMIN_KIND_TEXTS.ADMIN_KIND_UNLINK_NOTE,
      method: 'DELETE',
      path: '/api/users/{id}/oidc-link',
      permission: 'manage:user',
    },
  ],
}

export const MACHINE_KEYS: Resource = {
  ...common,
  name: 'machine-keys',
  permission: 'manage:user',
  title: ADMIN_KIND_TEXTS.ADMIN_KIND_MACHINE_KEYS,
  createTitle: ADMIN_KIND_TEXTS.ADMIN_KIND_NEW_MACHINE_KEY,
  createNote: ADMIN_KIND_TEXTS.ADMIN_KIND_MACHINE_KEY_NOTE,
  list: '/api/machine-keys',
  hasSearch: true,
  item: { path: '/api/machine-keys/{id}', parameter: 'id' },
  isDeletable: true,
  columns: ['name', 'prefix', 'user_id', 'owner_is_active', 'expires_at', 'last_used_at'],
  references: { user_id: { list: '/api/users', hasSearch: true, label: 'email' } },
  initial: { expires_in_days: '365' },
  shown: ['key'],
  actions: [
    {
      name: 'take-over',
      title: ADMIN_KIND_TEXTS.ADMIN_KIND_TAKE_OVER,
      note: ADMIN_KIND_TEXTS.ADMIN_KIND_TAKE_OVER_NOTE,
      method: 'POST',
      path: '/api/machine-keys/{id}/take-over',
      permission: 'manage:user',
    },
  ],
}

export const TENANTS: Resource = {
  ...common,
  name: 'tenants',
  permission: 'superuser',
  title: ADMIN_KIND_TEXTS.ADMIN_KIND_TENANTS,
  createTitle: ADMIN_KIND_TEXTS.ADMIN_KIND_NEW_TENANT,
  createNote: ADMIN_KIND_TEXTS.ADMIN_KIND_NEW_TENANT_NOTE,
  list: '/api/v1/admin/tenants',
  hasSearch: true,
  item: { path: TENANT_PATH, parameter: 'id', isReadable: true },
  update: 'PATCH',
  columns: ['name', 'slug', 'is_active', 'created_at'],
  // Deactivation is an action of its own, because it ends the work of every user of the tenant.
  hidden: ['is_active'],
  actions: [
    {
      name: 'deactivate',
      title: ADMIN_KIND_TEXTS.ADMIN_KIND_DEACTIVATE,
      note: ADMIN_KIND_TEXTS.ADMIN_KIND_DEACTIVATE_NOTE,
      method: 'PATCH',
      path: TENANT_PATH,
      permission: 'superuser',
      fixed: () => ({ is_active: false, name: undefined }),
      isOffered: ({ is_active }) => is_active === true,
    },
    {
      name: 'reactivate',
      title: ADMIN_KIND_TEXTS.ADMIN_KIND_REACTIVATE,
      method: 'PATCH',
      path: TENANT_PATH,
      permission: 'superuser',
      fixed: () => ({ is_active: true, name: undefined }),
      isOffered: ({ is_active }) => is_active === false,
    },
  ],
}

export const MARKET_ACCOUNTS: Resource = {
  ...common,
  name: 'market-accounts',
  permission: 'superuser',
  title: ADMIN_KIND_TEXTS.ADMIN_KIND_MARKET_ACCOUNTS,
  createTitle: ADMIN_KIND_TEXTS.ADMIN_KIND_NEW_MARKET_ACCOUNT,
  createNote: ADMIN_KIND_TEXTS.ADMIN_KIND_MARKET_ACCOUNT_NOTE,
  list: '/api/v1/admin/marketop-transparency/accounts',
  hasSearch: true,
  item: {
    path: '/api/v1/admin/marketop-transparency/accounts/{id}',
    parameter: 'id',
    isReadable: true,
  },
  update: 'PATCH',
  columns: [
    'name',
    'portal_username',
    'whitelist_status',
    'last_test_at',
    'last_test_ok',
    'last_test_message',
  ],
  actions: [
    {
      name: 'transition',
      title: ADMIN_KIND_TEXTS.ADMIN_KIND_TRANSITION,
      note: ADMIN_KIND_TEXTS.ADMIN_KIND_TRANSITION_NOTE,
      method: 'POST',
      path: '/api/v1/admin/marketop-transparency/accounts/{id}/transition',
      permission: 'superuser',
    },
    {
      name: 'test-call',
      title: ADMIN_KIND_TEXTS.ADMIN_KIND_TEST_CALL,
      note: ADMIN_KIND_TEXTS.ADMIN_KIND_TEST_CALL_NOTE,
      method: 'POST',
      path: '/api/v1/admin/marketop-transparency/accounts/{id}/test-call',
      permission: 'superuser',
      result: ['message', 'failed_step', 'prices'],
    },
  ],
}

/** Of the one OpenID provider of a tenant. */
export const PROVIDER_ACTIONS: readonly RecordAction[] = [
  {
    name: 'test',
    title: ADMIN_KIND_TEXTS.ADMIN_KIND_OIDC_TEST,
    note: ADMIN_KIND_TEXTS.ADMIN_KIND_OIDC_TEST_NOTE,
    method: 'POST',
    path: '/api/auth/oidc/provider/test',
    permission: 'manage:user',
    result: ['message'],
  },
  {
    name: 'delete',
    title: ADMIN_KIND_TEXTS.ADMIN_KIND_OIDC_DELETE,
    note: ADMIN_KIND_TEXTS.ADMIN_KIND_OIDC_DELETE_NOTE,
    method: 'DELETE',
    path: '/api/auth/oidc/provider',
    permission: 'manage:user',
  },
]
