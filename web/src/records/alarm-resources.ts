/** Who is notified of alarms, and when not. */
import { KIND_TEXTS } from './kind-texts.ts'
import { NOTIFY_TEXTS } from './notify-texts.ts'
import { DEVICE, SITE } from './plant-resources.ts'
import type { AnyRecord, Reference, Resource } from './resource.ts'

const USER: Reference = { list: '/api/users', hasSearch: true, label: 'email' }
const ROLE: Reference = { list: '/api/roles', hasSearch: true }
const CHANNEL: Reference = { list: '/api/notification-channels', hasSearch: true }
const POLICY: Reference = { list: '/api/alarms', hasSearch: true }

const common = {
  permission: 'manage:alarm',
  empty: KIND_TEXTS.KIND_EMPTY,
  paging: 'skip',
  update: 'PUT',
  isDeletable: true,
} as const

const TEST = {
  name: 'test',
  title: NOTIFY_TEXTS.NOTIFY_TEST,
  note: NOTIFY_TEXTS.NOTIFY_TEST_NOTE,
  method: 'POST',
  permission: 'manage:alarm',
  result: ['message'],
} as const

/** The fields that only some platforms have. */
const PLATFORMS: Readonly<Record<string, readonly string[] | undefined>> = {
  bot_token: ['telegram'],
  chat_id: ['telegram'],
  url: ['teams', 'slack'],
  server_url: ['ntfy'],
  topic: ['ntfy'],
  token: ['ntfy'],
}

export const CHANNELS: Resource = {
  ...common,
  name: 'channels',
  title: NOTIFY_TEXTS.NOTIFY_CHANNELS,
  createTitle: NOTIFY_TEXTS.NOTIFY_NEW_CHANNEL,
  createNote: NOTIFY_TEXTS.NOTIFY_CHANNEL_NOTE,
  list: '/api/notification-channels',
  hasSearch: true,
  item: { path: '/api/notification-channels/{id}', parameter: 'id', isReadable: true },
  columns: ['name', 'type', 'min_severity', 'is_active', 'disabled_at', 'last_success_at', 'last_error'],
  initial: { is_active: 'true', type: 'telegram' },
  isHidden: (name, { type }) => PLATFORMS[name]?.includes(String(type)) === false,
  actions: [{ ...TEST, path: '/api/notification-channels/{id}/test' }],
}

export const WEBHOOKS: Resource = {
  ...common,
  name: 'webhooks',
  title: NOTIFY_TEXTS.NOTIFY_WEBHOOKS,
  createTitle: NOTIFY_TEXTS.NOTIFY_NEW_WEBHOOK,
  createNote: NOTIFY_TEXTS.NOTIFY_WEBHOOK_NOTE,
  list: '/api/notification-webhooks',
  hasSearch: true,
  item: { path: '/api/notification-webhooks/{id}', parameter: 'id', isReadable: true },
  columns: ['name', 'url', 'min_severity', 'is_active', 'disabled_at', 'last_success_at', 'last_error'],
  initial: { is_active: 'true' },
  shown: ['secret'],
  actions: [
    { ...TEST, path: '/api/notification-webhooks/{id}/test' },
    {
      name: 'secret',
      title: NOTIFY_TEXTS.NOTIFY_NEW_SECRET,
      note: NOTIFY_TEXTS.NOTIFY_NEW_SECRET_NOTE,
      method: 'POST',
      path: '/api/notification-webhooks/{id}/secret',
      permission: 'manage:alarm',
      shown: ['secret'],
    },
  ],
}

export const ESCALATIONS: Resource = {
  ...common,
  name: 'escalation',
  title: NOTIFY_TEXTS.NOTIFY_ESCALATIONS,
  createTitle: NOTIFY_TEXTS.NOTIFY_NEW_ESCALATION,
  createNote: NOTIFY_TEXTS.NOTIFY_ESCALATION_NOTE,
  list: '/api/escalation-policies',
  hasSearch: true,
  item: { path: '/api/escalation-policies/{id}', parameter: 'id', isReadable: true },
  columns: ['name', 'default_severities', 'repeat_minutes', 'repeat_count', 'is_active'],
  initial: { is_active: 'true' },
  references: { user_id: USER, role_id: ROLE, channel_id: CHANNEL },
}

/** A window that is over is history. */
const isOver = ({ to }: AnyRecord): boolean => Date.parse(String(to)) <= Date.now()

export const MAINTENANCE: Resource = {
  name: 'maintenance',
  permission: 'manage:alarm',
  empty: KIND_TEXTS.KIND_EMPTY,
  paging: 'skip',
  title: NOTIFY_TEXTS.NOTIFY_MAINTENANCE,
  createTitle: NOTIFY_TEXTS.NOTIFY_NEW_MAINTENANCE,
  createNote: NOTIFY_TEXTS.NOTIFY_MAINTENANCE_NOTE,
  list: '/api/alarms/maintenance',
  query: { sort_by: 'from', sort_order: 'desc' },
  hasSearch: true,
  label: 'note',
  columns: ['from', 'to', 'policy_id', 'device_id', 'subregion_id', 'note'],
  references: { policy_id: POLICY, device_id: DEVICE, subregion_id: SITE },
  actions: [
    {
      name: 'end',
      title: NOTIFY_TEXTS.NOTIFY_END_MAINTENANCE,
      note: NOTIFY_TEXTS.NOTIFY_END_MAINTENANCE_NOTE,
      method: 'DELETE',
      path: '/api/alarms/maintenance/{id}',
      permission: 'manage:alarm',
      isOffered: (record) => !isOver(record),
    },
  ],
}
