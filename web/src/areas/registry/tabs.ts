export const REGISTRY_TABS = [
  'sites',
  'regions',
  'zigbee',
  'facilities',
  'groups',
  'members',
  'scopes',
  'organizations',
  'meters',
  'assignments',
  'meter-changes',
  'accounts',
  'installations',
  'collectors',
  'claims',
] as const
export type RegistryTab = (typeof REGISTRY_TABS)[number]
