/** Firmware versions, and the updates that install them. */
import { KIND_TEXTS } from './kind-texts.ts'
import { DEVICE } from './plant-resources.ts'
import type { RecordAction, Resource } from './resource.ts'

export const FIRMWARE: Resource = {
  name: 'firmware',
  report: 'firmware_versions',
  permission: 'manage:firmware',
  title: KIND_TEXTS.KIND_FIRMWARE,
  empty: KIND_TEXTS.KIND_EMPTY,
  createTitle: KIND_TEXTS.KIND_NEW_FIRMWARE,
  list: '/api/firmware/versions',
  paging: 'skip',
  hasSearch: true,
  item: { path: '/api/firmware/versions/{id}', parameter: 'id', isReadable: true },
  update: 'PATCH',
  label: 'version',
  columns: ['version', 'device_model', 'status', 'released_at'],
  isOwn: ({ status }) => status === 'draft',
  actions: [
    {
      name: 'release',
      title: KIND_TEXTS.KIND_RELEASE,
      note: KIND_TEXTS.KIND_RELEASE_NOTE,
      method: 'POST',
      path: '/api/firmware/versions/{id}/release',
      permission: 'manage:firmware',
      isOffered: ({ status }) => status === 'draft',
    },
    {
      name: 'deprecate',
      title: KIND_TEXTS.KIND_DEPRECATE,
      note: KIND_TEXTS.KIND_DEPRECATE_NOTE,
      method: 'POST',
      path: '/api/firmware/versions/{id}/deprecate',
      permission: 'manage:firmware',
      isOffered: ({ status }) => status === 'released',
    },
    {
      name: 'rollout',
      title: KIND_TEXTS.KIND_ROLLOUT,
      note: KIND_TEXTS.KIND_ROLLOUT_NOTE,
      method: 'POST',
      path: '/api/ota/updates/batch',
      permission: 'manage:ota',
      isOffered: ({ status }) => status === 'released',
      fixed: ({ id }) => ({ firmware_version_id: id }),
      references: { device_ids: DEVICE, gateway_ids: { list: '/api/gateways', hasSearch: true } },
    },
    {
      name: 'update-device',
      title: KIND_TEXTS.KIND_UPDATE_ONE,
      method: 'POST',
      path: '/api/ota/updates',
      permission: 'manage:ota',
      isOffered: ({ status }) => status === 'released',
      fixed: ({ id }) => ({ firmware_version_id: id }),
      references: { device_id: DEVICE, gateway_id: { list: '/api/gateways', hasSearch: true } },
    },
  ],
}

/** What can be done with the update of one device besides retrying it. */
export const UPDATE_ACTIONS: readonly RecordAction[] = [
  {
    name: 'cancel',
    title: KIND_TEXTS.KIND_CANCEL_UPDATE,
    note: KIND_TEXTS.KIND_CANCEL_UPDATE_NOTE,
    method: 'POST',
    path: '/api/ota/updates/{id}/cancel',
    permission: 'manage:ota',
    isOffered: ({ status }) => ['queued', 'notified', 'downloading', 'downloaded'].includes(String(status)),
  },
  {
    name: 'rollback',
    title: KIND_TEXTS.KIND_ROLL_BACK,
    note: KIND_TEXTS.KIND_ROLL_BACK_NOTE,
    method: 'POST',
    path: '/api/ota/updates/{id}/rollback',
    permission: 'manage:ota',
    isOffered: ({ status }) => status === 'succeeded' || status === 'failed',
  },
]
