/** The areas of the API; every route that is not public names one as `read:<area>` or `manage:<area>`. */
const AREAS = [
  'user',
  'role',
  'region',
  'gateway',
  'device',
  'measurement',
  'alarm',
  'firmware',
  'ota',
  'loto',
  'zigbee',
  'widget',
  'charger',
  'netting',
  'osos',
] as const
type Area = (typeof AREAS)[number]

export type Permission =
  | `read:${Area}`
  | `manage:${Area}`
  | 'manage:loto_override'
  | 'write:measurement'
  | 'import:settlement_reports'

const reads = AREAS.map((area): Permission => `read:${area}`)
const manages = AREAS.map((area): Permission => `manage:${area}`)

export const PERMISSIONS: readonly Permission[] = [
  ...reads,
  ...manages,
  // To take away another worker's lock.
  'manage:loto_override',
  'write:measurement',
  'import:settlement_reports',
]

/** Reads everything and operates the plant; changes neither netting nor users. */
const operator: Permission[] = [
  ...reads,
  'manage:alarm',
  'manage:widget',
  'manage:loto',
  'manage:charger',
  'manage:ota',
  'write:measurement',
  'import:settlement_reports',
]

/** The three predefined roles of every tenant. */
export const SYSTEM_ROLES: Readonly<Record<'admin' | 'operator' | 'viewer', readonly Permission[]>> = {
  admin: PERMISSIONS,
  operator,
  viewer: reads,
}
