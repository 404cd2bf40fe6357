/** Enumerations of the equipment, with their texts and tones. */
import type { ResponseOf } from '../../../../clients/typescript/src/operations.ts'
import type { States } from '../../ui/states.tsx'
import { EQUIPMENT_TEXTS } from './texts.ts'

type Gateway = ResponseOf<'GET', '/api/gateways/{id}'>
type Device = ResponseOf<'GET', '/api/devices/{id}'>
type Row = ResponseOf<'GET', '/api/measurements/devices/{device_id}/aggregated'>['data'][number]

export const ONLINE_STATES: States<'online' | 'silent'> = {
  online: { text: EQUIPMENT_TEXTS.EQUIPMENT_ONLINE, tone: 'success' },
  silent: { text: EQUIPMENT_TEXTS.EQUIPMENT_OFFLINE, tone: 'warning' },
}

export const GATEWAY_TYPES: States<Gateway['gateway_type']> = {
  modbus: { text: EQUIPMENT_TEXTS.EQUIPMENT_MODBUS },
  mqtt: { text: EQUIPMENT_TEXTS.EQUIPMENT_MQTT },
  zigbee: { text: EQUIPMENT_TEXTS.EQUIPMENT_ZIGBEE },
  home_assistant: { text: EQUIPMENT_TEXTS.EQUIPMENT_HOME_ASSISTANT },
}

export const DEVICE_SOURCES: States<Device['device_source']> = {
  modbus: { text: EQUIPMENT_TEXTS.EQUIPMENT_MODBUS },
  zigbee: { text: EQUIPMENT_TEXTS.EQUIPMENT_ZIGBEE },
  virtual: { text: EQUIPMENT_TEXTS.EQUIPMENT_VIRTUAL },
  manual: { text: EQUIPMENT_TEXTS.EQUIPMENT_MANUAL },
  ocpp: { text: EQUIPMENT_TEXTS.EQUIPMENT_OCPP },
}

export const CONFIG_STATES: States<NonNullable<Gateway['config_state']>> = {
  in_sync: { text: EQUIPMENT_TEXTS.EQUIPMENT_IN_SYNC, tone: 'success' },
  pending: { text: EQUIPMENT_TEXTS.EQUIPMENT_PENDING, tone: 'warning' },
  drift: { text: EQUIPMENT_TEXTS.EQUIPMENT_DRIFT, tone: 'warning' },
  rejected: { text: EQUIPMENT_TEXTS.EQUIPMENT_REJECTED, tone: 'danger' },
}

export const CHANGES: States<'added' | 'removed' | 'changed'> = {
  added: { text: EQUIPMENT_TEXTS.EQUIPMENT_ADDED, tone: 'success' },
  removed: { text: EQUIPMENT_TEXTS.EQUIPMENT_REMOVED, tone: 'danger' },
  changed: { text: EQUIPMENT_TEXTS.EQUIPMENT_CHANGED, tone: 'warning' },
}

export const CHANGED_KINDS: States<'setting' | 'device' | 'poll_group' | 'register' | 'map'> = {
  setting: { text: EQUIPMENT_TEXTS.EQUIPMENT_SETTING },
  device: { text: EQUIPMENT_TEXTS.EQUIPMENT_DEVICE },
  poll_group: { text: EQUIPMENT_TEXTS.EQUIPMENT_POLL_GROUP },
  register: { text: EQUIPMENT_TEXTS.EQUIPMENT_REGISTER },
  map: { text: EQUIPMENT_TEXTS.EQUIPMENT_MAP },
}

export const QUALITIES: States<Row['data_quality']> = {
  complete: { text: EQUIPMENT_TEXTS.EQUIPMENT_COMPLETE, tone: 'success' },
  partial: { text: EQUIPMENT_TEXTS.EQUIPMENT_PARTIAL, tone: 'warning' },
  missing: { text: EQUIPMENT_TEXTS.EQUIPMENT_MISSING, tone: 'danger' },
  suspect: { text: EQUIPMENT_TEXTS.EQUIPMENT_SUSPECT, tone: 'warning' },
}
