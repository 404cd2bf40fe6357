import { LIST_REPORT_NAMES_MAX } from './limits.ts'
import type { ListRead, Row } from './pages.ts'

interface Reference {
  readonly path: string
  /** The field that names a record for people. */
  readonly label: string
}

const named = (path: string, label = 'name'): Reference => ({ path, label })
const USERS = named('/api/users', 'full_name')
const ORGANIZATIONS = named('/api/mahsuplasma/organizations')

/** The lists whose records the columns of ids refer to. */
const REFERENCES: Readonly<Record<string, Reference>> = {
  region_id: named('/api/regions'),
  subregion_id: named('/api/subregions'),
  gateway_id: named('/api/gateways'),
  mqtt_gateway_id: named('/api/gateways'),
  device_id: named('/api/devices'),
  parent_id: named('/api/devices'),
  template_id: named('/api/devices/device-templates'),
  policy_id: named('/api/alarms'),
  escalation_policy_id: named('/api/escalation-policies'),
  scope_id: named('/api/mahsuplasma/scopes'),
  facility_id: named('/api/mahsuplasma/facilities'),
  group_id: named('/api/mahsuplasma/groups'),
  grid_operator_id: ORGANIZATIONS,
  distribution_company_id: ORGANIZATIONS,
  retail_or_zone_operator_id: ORGANIZATIONS,
  meter_reading_org_id: ORGANIZATIONS,
  supplier_id: ORGANIZATIONS,
  responsible_supplier_id: ORGANIZATIONS,
  osos_installation_id: named('/api/osos/installations', 'installation_no'),
  installation_id: named('/api/osos/installations', 'installation_no'),
  charger_id: named('/api/ocpp/chargers'),
  firmware_version_id: named('/api/firmware/versions', 'version'),
  role_ids: named('/api/roles'),
  user_id: USERS,
  by_user: USERS,
  requested_by: USERS,
  approved_by: USERS,
  created_by: USERS,
}

/** The path of the list that a column refers to. */
export const referenceOf = (column: string): Reference | undefined => REFERENCES[column]

type Names = ReadonlyMap<string, string>
interface OpenedList {
  readonly total: number
  readonly pages: () => AsyncIterable<readonly Row[]>
}

/**
 * Names of records by their ids, read with the rights of the caller: ids stay where the caller may not read the list,
 * or where it is long. A list is read when the first id of it is seen.
 */
export class RecordNames {
  private readonly lists = new Map<string, Promise<Names>>()
  private readonly open: (read: ListRead) => Promise<OpenedList>
  private readonly pagingOf: (path: string) => ListRead['paging']

  constructor(open: (read: ListRead) => Promise<OpenedList>, pagingOf: (path: string) => ListRead['paging']) {
    this.open = open
    this.pagingOf = pagingOf
  }

  /** The names for the ids in a column of some rows; undefined for a column without a reference. */
  of(column: string): Promise<Names> | undefined {
    const reference = REFERENCES[column]
    if (!reference) return undefined
    const known = this.lists.get(reference.path) ?? this.read(reference)
    this.lists.set(reference.path, known)
    return known
  }

  private async read({ path, label }: Reference): Promise<Names> {
    const names = new Map<string, string>()
    const read = { paths: [path], query: {}, paging: this.pagingOf(path), rows: undefined, language: 'en' }
    const list = await this.open(read).catch(() => undefined)
    if (!list || list.total > LIST_REPORT_NAMES_MAX) return names
    for await (const rows of list.pages())
      for (const row of rows) {
        const name = row[label]
        if (typeof name === 'string' && name !== '') names.set(String(row['id']), name)
      }
    return names
  }
}
