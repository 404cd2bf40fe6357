/** The netting registry: what the calculations are based on. */
import { KIND_TEXTS } from './kind-texts.ts'
import { DEVICE, SITE } from './plant-resources.ts'
import type { Reference, Resource } from './resource.ts'

export const FACILITY: Reference = { list: '/api/mahsuplasma/facilities', hasSearch: true }
const SCOPE: Reference = { list: '/api/mahsuplasma/scopes', hasSearch: true }
const ORGANIZATION: Reference = { list: '/api/mahsuplasma/organizations', hasSearch: true }
export const INSTALLATION: Reference = {
  list: '/api/osos/installations',
  hasSearch: true,
  label: 'installation_no',
}
export const GROUP: Reference = { list: '/api/mahsuplasma/groups', hasSearch: true }
const ACCOUNT: Reference = {
  list: '/api/mahsuplasma/limits/accounts',
  label: 'year',
  owner: { field: 'facility_id', reference: FACILITY },
}

const common = { permission: 'manage:netting', empty: KIND_TEXTS.KIND_EMPTY, paging: 'offset' } as const

export const FACILITIES: Resource = {
  ...common,
  name: 'facilities',
  report: 'facilities',
  title: KIND_TEXTS.KIND_FACILITIES,
  createTitle: KIND_TEXTS.KIND_NEW_FACILITY,
  list: '/api/mahsuplasma/facilities',
  hasSearch: true,
  item: { path: '/api/mahsuplasma/facilities/{id}', parameter: 'id', isReadable: true },
  update: 'PATCH',
  columns: [
    'name',
    'subregion_id',
    'scope_id',
    'abone_grubu',
    'source_type',
    'voltage_level',
    'valid_from',
    'valid_to',
  ],
  references: {
    subregion_id: SITE,
    scope_id: SCOPE,
    grid_operator_id: ORGANIZATION,
    distribution_company_id: ORGANIZATION,
    retail_or_zone_operator_id: ORGANIZATION,
    meter_reading_org_id: ORGANIZATION,
    supplier_id: ORGANIZATION,
  },
}

export const SCOPES: Resource = {
  ...common,
  name: 'scopes',
  report: 'scopes',
  title: KIND_TEXTS.KIND_SCOPES,
  createTitle: KIND_TEXTS.KIND_NEW_SCOPE,
  list: '/api/mahsuplasma/scopes',
  hasSearch: true,
  item: { path: '/api/mahsuplasma/scopes/{id}', parameter: 'id' },
  update: 'PATCH',
  columns: ['name', 'external_party_ref', 'declaration_source', 'declared_at'],
  actions: [
    {
      name: 'declare',
      title: KIND_TEXTS.KIND_DECLARE,
      note: KIND_TEXTS.KIND_DECLARE_NOTE,
      method: 'POST',
      path: '/api/mahsuplasma/scopes/{id}/declare-same-official-party',
      permission: 'manage:netting',
      // An older name of the other field.
      fixed: () => ({ source: undefined }),
    },
  ],
}

export const ORGANIZATIONS: Resource = {
  ...common,
  name: 'organizations',
  report: 'organizations',
  title: KIND_TEXTS.KIND_ORGANIZATIONS,
  createTitle: KIND_TEXTS.KIND_NEW_ORGANIZATION,
  list: '/api/mahsuplasma/organizations',
  query: { include_inactive: true },
  hasSearch: true,
  item: { path: '/api/mahsuplasma/organizations/{id}', parameter: 'id' },
  update: 'PATCH',
  columns: ['name', 'org_type', 'is_active', 'is_system'],
  isOwn: ({ is_system }) => is_system !== true,
}

export const GROUPS: Resource = {
  ...common,
  name: 'groups',
  report: 'groups',
  title: KIND_TEXTS.KIND_GROUPS,
  createTitle: KIND_TEXTS.KIND_NEW_GROUP,
  list: '/api/mahsuplasma/groups',
  hasSearch: true,
  item: { path: '/api/mahsuplasma/groups/{id}', parameter: 'id', isReadable: true },
  update: 'PATCH',
  columns: ['name', 'scope_id', 'group_status', 'eligibility_status', 'correction_mode', 'is_active'],
  references: { scope_id: SCOPE, responsible_supplier_id: ORGANIZATION },
  actions: [
    {
      name: 'evaluate-period',
      title: KIND_TEXTS.KIND_EVALUATE_PERIOD,
      note: KIND_TEXTS.KIND_EVALUATE_PERIOD_NOTE,
      method: 'POST',
      path: '/api/mahsuplasma/groups/{id}/period-evaluations',
      permission: 'superuser',
      result: ['eligibility_status'],
    },
  ],
}

export const MEMBERS: Resource = {
  ...common,
  name: 'members',
  report: 'group_members',
  title: KIND_TEXTS.KIND_MEMBERS,
  createTitle: KIND_TEXTS.KIND_NEW_MEMBER,
  list: '/api/mahsuplasma/groups/{id}/members',
  paging: 'none',
  parent: { ...GROUP, text: KIND_TEXTS.KIND_GROUP },
  item: { path: '/api/mahsuplasma/groups/{id}/members/{member_id}', parameter: 'member_id' },
  update: 'PATCH',
  isDeletable: true,
  label: 'member_role',
  columns: ['facility_id', 'member_role', 'valid_from', 'valid_to'],
  references: { facility_id: FACILITY },
}

export const METERS: Resource = {
  ...common,
  name: 'meters',
  report: 'metering_points',
  title: KIND_TEXTS.KIND_METERS,
  createTitle: KIND_TEXTS.KIND_NEW_METER,
  list: '/api/mahsuplasma/facilities/{id}/meters',
  hasSearch: true,
  parent: { ...FACILITY, text: KIND_TEXTS.KIND_FACILITY },
  item: { path: '/api/mahsuplasma/meters/{metering_point_id}', parameter: 'metering_point_id' },
  update: 'PATCH',
  label: 'meter_no',
  columns: ['meter_no', 'valid_from', 'valid_to', 'osos_installation_id', 'notes'],
  references: { meter_reading_org_id: ORGANIZATION, osos_installation_id: INSTALLATION },
}

export const ASSIGNMENTS: Resource = {
  ...common,
  name: 'assignments',
  report: 'meter_assignments',
  title: KIND_TEXTS.KIND_ASSIGNMENTS,
  createTitle: KIND_TEXTS.KIND_NEW_ASSIGNMENT,
  list: '/api/mahsuplasma/meters/assignments',
  create: '/api/mahsuplasma/meters/assign',
  item: { path: '/api/mahsuplasma/meters/assignments/{id}', parameter: 'id' },
  update: 'PATCH',
  label: 'measurement_role',
  columns: ['device_id', 'measurement_role', 'subregion_id', 'facility_id', 'valid_from', 'valid_to'],
  references: { device_id: DEVICE, subregion_id: SITE, facility_id: FACILITY },
}

export const METER_CHANGES: Resource = {
  ...common,
  name: 'meter-changes',
  report: 'meter_changes',
  title: KIND_TEXTS.KIND_METER_CHANGES,
  createTitle: KIND_TEXTS.KIND_NEW_METER_CHANGE,
  list: '/api/mahsuplasma/meters/changes',
  query: { include_voided: true },
  item: { path: '/api/mahsuplasma/meters/changes/{id}', parameter: 'id', isReadable: true },
  update: 'PATCH',
  label: 'register',
  columns: [
    'device_id',
    'osos_installation_id',
    'register',
    'changed_at',
    'old_end_kwh',
    'new_start_kwh',
    'voided_at',
  ],
  references: { device_id: DEVICE, osos_installation_id: INSTALLATION },
  isOwn: ({ voided_at }) => voided_at === null,
  actions: [
    {
      name: 'void',
      title: KIND_TEXTS.KIND_VOID,
      note: KIND_TEXTS.KIND_VOID_NOTE,
      method: 'POST',
      path: '/api/mahsuplasma/meters/changes/{id}/void',
      permission: 'manage:netting',
      isOffered: ({ voided_at }) => voided_at === null,
    },
  ],
}

export const ACCOUNTS: Resource = {
  ...common,
  name: 'accounts',
  report: 'limit_accounts',
  title: KIND_TEXTS.KIND_ACCOUNTS,
  createTitle: KIND_TEXTS.KIND_NEW_ACCOUNT,
  list: '/api/mahsuplasma/limits/accounts',
  query: { include: 'limits' },
  label: 'year',
  columns: [
    'facility_id',
    'year',
    'initial_limit_kwh',
    'used_limit_kwh',
    'remaining_limit_kwh',
    'limit_source',
  ],
  references: { facility_id: FACILITY },
  actions: [
    {
      name: 'adjust',
      title: KIND_TEXTS.KIND_ADJUST,
      note: KIND_TEXTS.KIND_ADJUST_NOTE,
      method: 'POST',
      path: '/api/mahsuplasma/limits/accounts/{id}/adjust',
      permission: 'manage:netting',
    },
    {
      name: 'transfer',
      title: KIND_TEXTS.KIND_TRANSFER,
      note: KIND_TEXTS.KIND_TRANSFER_NOTE,
      method: 'POST',
      path: '/api/mahsuplasma/limits/transfer',
      permission: 'manage:netting',
      fixed: ({ id }) => ({ source_account_id: id }),
      references: { target_account_id: ACCOUNT },
    },
  ],
}

export const INSTALLATIONS: Resource = {
  ...common,
  name: 'installations',
  report: 'osos_installations',
  permission: 'manage:osos',
  title: KIND_TEXTS.KIND_INSTALLATIONS,
  createTitle: KIND_TEXTS.KIND_NEW_INSTALLATION,
  list: '/api/osos/installations',
  hasSearch: true,
  item: { path: '/api/osos/installations/{id}', parameter: 'id', isReadable: true },
  update: 'PATCH',
  isDeletable: true,
  label: 'installation_no',
  columns: ['installation_no', 'facility_id', 'measurement_role', 'multiplier', 'fact_source'],
  references: { facility_id: FACILITY, distribution_company_id: ORGANIZATION },
  dependents: [
    {
      text: KIND_TEXTS.KIND_IMPORTS,
      list: '/api/osos/imports',
      parameter: 'installation_id',
      label: 'file_name',
    },
  ],
}
