/** The names of permissions: an area of the service, and what may be done in it. */
import { type Message, messages } from '../../../src/kernel/messages.ts'

const TEXTS = messages({
  PERMISSION_READ: { en: '{area}: read', tr: '{area}: görme' },
  PERMISSION_MANAGE: { en: '{area}: manage', tr: '{area}: yönetme' },
  PERMISSION_SEND: { en: '{area}: send', tr: '{area}: gönderme' },
  PERMISSION_READS: { en: 'reads {areas}', tr: 'görür: {areas}' },
  PERMISSION_MANAGES: { en: 'manages {areas}', tr: 'yönetir: {areas}' },
  PERMISSION_LOTO_OVERRIDE: {
    en: 'Lockout: take away the lock of another',
    tr: 'Kilitleme: başkasının kilidini çıkarma',
  },
  PERMISSION_IMPORT_SETTLEMENT: {
    en: 'Settlement reports: import',
    tr: 'Uzlaştırma raporları: içe aktarma',
  },
})

/** The codes end in the areas of permissions. */
const AREA_TEXTS: Readonly<Record<string, (() => Message) | undefined>> = messages({
  AREA_user: { en: 'Users', tr: 'Kullanıcılar' },
  AREA_role: { en: 'Roles', tr: 'Roller' },
  AREA_region: { en: 'Regions and sites', tr: 'Bölgeler ve sahalar' },
  AREA_gateway: { en: 'Gateways', tr: 'Ağ geçitleri' },
  AREA_device: { en: 'Devices', tr: 'Cihazlar' },
  AREA_measurement: { en: 'Measurements', tr: 'Ölçümler' },
  AREA_alarm: { en: 'Alarms', tr: 'Alarmlar' },
  AREA_firmware: { en: 'Firmware versions', tr: 'Yazılım sürümleri' },
  AREA_ota: { en: 'Updates', tr: 'Güncellemeler' },
  AREA_loto: { en: 'Lockout/tagout', tr: 'Kilitleme ve etiketleme' },
  AREA_zigbee: { en: 'Zigbee', tr: 'Zigbee' },
  AREA_widget: { en: 'Dashboards', tr: 'Panolar' },
  AREA_charger: { en: 'Charging stations', tr: 'Şarj istasyonları' },
  AREA_netting: { en: 'Netting', tr: 'Mahsuplaşma' },
  AREA_osos: { en: 'Official readings', tr: 'Resmî okumalar' },
})

const ACTIONS: Readonly<Record<string, ((parameters: { area: Message }) => Message) | undefined>> = {
  read: TEXTS.PERMISSION_READ,
  manage: TEXTS.PERMISSION_MANAGE,
  write: TEXTS.PERMISSION_SEND,
}

const OTHERS: Readonly<Record<string, (() => Message) | undefined>> = {
  'manage:loto_override': TEXTS.PERMISSION_LOTO_OVERRIDE,
  'import:settlement_reports': TEXTS.PERMISSION_IMPORT_SETTLEMENT,
}

/** The name of a permission; undefined for what is none, or has no name. */
export function permissionText(permission: string): Message | undefined {
  const [action = '', name = ''] = permission.split(':')
  const area = AREA_TEXTS[`AREA_${name}`]
  return area ? ACTIONS[action]?.({ area: area() }) : OTHERS[permission]?.()
}

/** The permissions of a role or a key in short: what it reads, what it manages, and the others by their names. */
export function permissionSummary(
  permissions: readonly string[],
  t: (message: Message) => string,
): readonly string[] {
  const areasOf = (action: string): string[] =>
    permissions
      .filter((one) => one.startsWith(`${action}:`))
      .flatMap((one) => AREA_TEXTS[`AREA_${one.slice(action.length + 1)}`]?.() ?? [])
      .map(t)
  const [read, managed] = [areasOf('read').join(', '), areasOf('manage').join(', ')]
  const isOther = (one: string): boolean => one.startsWith('write:') || one in OTHERS
  return [
    ...(read === '' ? [] : [t(TEXTS.PERMISSION_READS({ areas: read }))]),
    ...(managed === '' ? [] : [t(TEXTS.PERMISSION_MANAGES({ areas: managed }))]),
    ...permissions
      .filter(isOther)
      .flatMap((one) => permissionText(one) ?? [])
      .map(t),
  ]
}
