/** Charging groups, reservations, id tags, and what is sent to one charger. */
import { CHARGING_KIND_TEXTS } from './charging-kind-texts.ts'
import { KIND_TEXTS } from './kind-texts.ts'
import { SITE } from './plant-resources.ts'
import type { RecordAction, Reference, Resource } from './resource.ts'

const CHARGER: Reference = { list: '/api/ocpp/chargers', hasSearch: true }
export const TAG: Reference = { list: '/api/ocpp/id-tags', hasSearch: true, label: 'tag' }

const common = { permission: 'manage:charger', empty: KIND_TEXTS.KIND_EMPTY, paging: 'skip' } as const
/** What a command of a station has come to. */
const COMMAND = ['state', 'reason', 'error', 'answer'] as const

export const CHARGING_GROUPS: Resource = {
  ...common,
  name: 'groups',
  title: CHARGING_KIND_TEXTS.CHARGING_KIND_GROUPS,
  createTitle: CHARGING_KIND_TEXTS.CHARGING_KIND_NEW_GROUP,
  createNote: CHARGING_KIND_TEXTS.CHARGING_KIND_GROUP_NOTE,
  list: '/api/ocpp/charging-groups',
  hasSearch: true,
  item: { path: '/api/ocpp/charging-groups/{id}', parameter: 'id', isReadable: true, isLive: true },
  update: 'PUT',
  isDeletable: true,
  columns: ['name', 'subregion_id', 'limit_kw', 'min_kw_per_connector', 'split', 'member_count'],
  references: { subregion_id: SITE, charger_id: CHARGER },
}

export const RESERVATIONS: Resource = {
  ...common,
  name: 'reservations',
  title: CHARGING_KIND_TEXTS.CHARGING_KIND_RESERVATIONS,
  createTitle: CHARGING_KIND_TEXTS.CHARGING_KIND_NEW_RESERVATION,
  createNote: CHARGING_KIND_TEXTS.CHARGING_KIND_RESERVATION_NOTE,
  list: '/api/ocpp/reservations',
  label: 'reservation_number',
  columns: ['reservation_number', 'charger_id', 'connector_id', 'id_tag', 'state', 'reason', 'expires_at'],
  references: { charger_id: CHARGER },
  actions: [
    {
      name: 'cancel',
      title: CHARGING_KIND_TEXTS.CHARGING_KIND_CANCEL,
      note: CHARGING_KIND_TEXTS.CHARGING_KIND_CANCEL_NOTE,
      method: 'DELETE',
      path: '/api/ocpp/reservations/{id}',
      permission: 'manage:charger',
      isOffered: ({ state }) => state === 'pending' || state === 'active',
    },
  ],
}

export const TAGS: Resource = {
  ...common,
  name: 'tags',
  title: CHARGING_KIND_TEXTS.CHARGING_KIND_TAGS,
  createTitle: CHARGING_KIND_TEXTS.CHARGING_KIND_NEW_TAG,
  list: '/api/ocpp/id-tags',
  hasSearch: true,
  item: { path: '/api/ocpp/id-tags/{id}', parameter: 'id', isReadable: true },
  update: 'PUT',
  isDeletable: true,
  label: 'tag',
  columns: ['tag', 'name', 'status', 'parent_tag', 'expires_at', 'allows_concurrent'],
  references: { parent_id: TAG },
}

/** The profiles that were sent to one charger. */
export const PROFILES: Resource = {
  ...common,
  name: 'profiles',
  title: CHARGING_KIND_TEXTS.CHARGING_KIND_PROFILES,
  createTitle: CHARGING_KIND_TEXTS.CHARGING_KIND_NEW_PROFILE,
  list: '/api/ocpp/chargers/{id}/charging-profiles',
  parent: { ...CHARGER, text: KIND_TEXTS.KIND_CHARGERS },
  label: 'profile_number',
  columns: ['profile_number', 'connector_id', 'purpose', 'stack_level', 'state', 'reason', 'created_at'],
  references: { session_id: { list: '/api/ocpp/sessions', label: 'transaction_number' } },
  actions: [
    {
      name: 'clear',
      title: CHARGING_KIND_TEXTS.CHARGING_KIND_CLEAR,
      note: CHARGING_KIND_TEXTS.CHARGING_KIND_CLEAR_NOTE,
      method: 'DELETE',
      path: '/api/ocpp/charging-profiles/{id}',
      permission: 'manage:charger',
      isOffered: ({ state }) => state === 'pending' || state === 'active',
    },
  ],
}

export const PROFILE_ACTIONS: readonly RecordAction[] = [
  {
    name: 'clear-profiles',
    title: CHARGING_KIND_TEXTS.CHARGING_KIND_CLEAR_ALL,
    note: CHARGING_KIND_TEXTS.CHARGING_KIND_CLEAR_ALL_NOTE,
    method: 'POST',
    path: '/api/ocpp/chargers/{id}/charging-profiles/clear',
    permission: 'manage:charger',
    result: COMMAND,
  },
  {
    name: 'composite-schedule',
    title: CHARGING_KIND_TEXTS.CHARGING_KIND_SCHEDULE,
    note: CHARGING_KIND_TEXTS.CHARGING_KIND_QUERY_NOTE,
    method: 'POST',
    path: '/api/ocpp/chargers/{id}/composite-schedule',
    permission: 'manage:charger',
    result: COMMAND,
  },
]

/** The certificates that were issued to one charger. */
export const CERTIFICATES: Resource = {
  ...common,
  name: 'certificates',
  title: CHARGING_KIND_TEXTS.CHARGING_KIND_CERTIFICATES,
  list: '/api/ocpp/chargers/{id}/certificates',
  parent: { ...CHARGER, text: KIND_TEXTS.KIND_CHARGERS },
  label: 'serial',
  columns: ['serial', 'not_before', 'not_after', 'sha256'],
}

export const CERTIFICATE_ACTIONS: readonly RecordAction[] = [
  {
    name: 'install-certificate',
    title: CHARGING_KIND_TEXTS.CHARGING_KIND_INSTALL,
    note: CHARGING_KIND_TEXTS.CHARGING_KIND_INSTALL_NOTE,
    method: 'POST',
    path: '/api/ocpp/chargers/{id}/certificates/install',
    permission: 'manage:charger',
    result: COMMAND,
  },
  {
    name: 'installed-certificates',
    title: CHARGING_KIND_TEXTS.CHARGING_KIND_INSTALLED,
    note: CHARGING_KIND_TEXTS.CHARGING_KIND_QUERY_NOTE,
    method: 'POST',
    path: '/api/ocpp/chargers/{id}/certificates/installed',
    permission: 'manage:charger',
    result: COMMAND,
  },
  {
    name: 'delete-certificate',
    title: CHARGING_KIND_TEXTS.CHARGING_KIND_DELETE_CERTIFICATE,
    note: CHARGING_KIND_TEXTS.CHARGING_KIND_DELETE_CERTIFICATE_NOTE,
    method: 'POST',
    path: '/api/ocpp/chargers/{id}/certificates/delete',
    permission: 'manage:charger',
    result: COMMAND,
  },
]

/** The diagnostics and logs that were requested from one charger. */
export const CHARGER_FILES: Resource = {
  ...common,
  name: 'files',
  title: CHARGING_KIND_TEXTS.CHARGING_KIND_FILES,
  createTitle: CHARGING_KIND_TEXTS.CHARGING_KIND_REQUEST_FILE,
  createNote: CHARGING_KIND_TEXTS.CHARGING_KIND_FILE_NOTE,
  list: '/api/ocpp/chargers/{id}/files',
  parent: { ...CHARGER, text: KIND_TEXTS.KIND_CHARGERS },
  label: 'kind',
  columns: ['kind', 'state', 'file_name', 'size_bytes', 'created_at', 'received_at', 'expires_at'],
}

export const LOCAL_LIST_ACTIONS: readonly RecordAction[] = [
  {
    name: 'sync',
    title: CHARGING_KIND_TEXTS.CHARGING_KIND_SYNC,
    note: CHARGING_KIND_TEXTS.CHARGING_KIND_SYNC_NOTE,
    method: 'POST',
    path: '/api/ocpp/chargers/{id}/local-list/sync',
    permission: 'manage:charger',
    result: ['state', 'reason', 'version'],
  },
  {
    name: 'version',
    title: CHARGING_KIND_TEXTS.CHARGING_KIND_VERSION,
    note: CHARGING_KIND_TEXTS.CHARGING_KIND_QUERY_NOTE,
    method: 'POST',
    path: '/api/ocpp/chargers/{id}/local-list/version',
    permission: 'manage:charger',
    result: COMMAND,
  },
]

/** What can be done with a session besides stopping it at its station. */
export const SESSION_ACTIONS: readonly RecordAction[] = [
  {
    name: 'end',
    title: CHARGING_KIND_TEXTS.CHARGING_KIND_END,
    note: CHARGING_KIND_TEXTS.CHARGING_KIND_END_NOTE,
    method: 'POST',
    path: '/api/ocpp/sessions/{id}/end',
    permission: 'manage:charger',
    isOffered: ({ state }) => state === 'active',
  },
]
