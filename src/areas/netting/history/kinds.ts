/** How a cell is read: see `cells.ts`. */
export type CellKind = 'text' | 'number' | 'day' | 'time' | 'choice' | 'yes' | 'year'

export interface Column {
  /** The English header, which is the field of the API. */
  readonly name: string
  /** The Turkish header. */
  readonly tr: string
  readonly kind: CellKind
  readonly isRequired?: boolean
  /** The allowed words of a choice, each with its Turkish form. */
  readonly words?: Readonly<Record<string, string>>
  readonly example: string
}

export interface Kind {
  /** The English name of the sheet or of the CSV file. */
  readonly name: KindName
  readonly tr: string
  readonly columns: readonly Column[]
}

/** In the order in which the records are created: a record refers to those of earlier kinds. */
export const KIND_NAMES = [
  'organizations',
  'scopes',
  'facilities',
  'meters',
  'meter_changes',
  'groups',
  'members',
  'limit_accounts',
] as const
export type KindName = (typeof KIND_NAMES)[number]

type Words = Readonly<Record<string, string>>

/** `content` is how the cell is read, or the words of a choice. */
const column =
  (isRequired: boolean) =>
  (name: string, tr: string, content: Exclude<CellKind, 'choice'> | Words, example: string): Column => ({
    name,
    tr,
    isRequired,
    example,
    ...(typeof content === 'string' ? { kind: content } : { kind: 'choice', words: content }),
  })
const required = column(true)
const optional = column(false)

const ORGANIZATION_TYPES = {
  grid_operator: 'şebeke işletmecisi',
  distribution_company: 'dağıtım şirketi',
  retail_company: 'perakende şirketi',
  zone_operator: 'bölge işletmecisi',
  meter_reading_org: 'sayaç okuma kuruluşu',
  supplier: 'tedarikçi',
}
const DECLARATION_SOURCES = {
  customer_declaration: 'müşteri beyanı',
  official_document: 'resmi belge',
  lum_report: 'LÜM raporu',
  gts_report: 'GTŞ raporu',
}
const SUBSCRIBER_GROUPS = {
  mesken: 'mesken',
  ticarethane: 'ticarethane',
  sanayi: 'sanayi',
  tarimsal_sulama: 'tarımsal sulama',
  aydinlatma: 'aydınlatma',
  other: 'diğer',
}
const SOURCE_TYPES = {
  solar: 'güneş',
  wind: 'rüzgar',
  hydro: 'hidrolik',
  biomass: 'biyokütle',
  geothermal: 'jeotermal',
  cogeneration: 'kojenerasyon',
  hybrid: 'hibrit',
  unknown: 'bilinmiyor',
}
const SUPPLY_TYPES = { regulated: 'düzenlenmiş', sktt: 'SKTT', bilateral: 'ikili anlaşma' }
const VOLTAGE_LEVELS = { AG: 'alçak gerilim', OG: 'orta gerilim', YG: 'yüksek gerilim' }
const TARIFF_GROUPS = {
  lisanssiz_uretici_1: 'lisanssız üretici 1',
  lisanssiz_uretici_2: 'lisanssız üretici 2',
}
const MEASUREMENT_ROLES = {
  main_production: 'ana üretim',
  main_consumption: 'ana tüketim',
  pcc_import_export: 'bağlantı noktası',
  osb_eb_consumption: 'OSB EB tüketimi',
  battery: 'batarya',
  self_consumption: 'öz tüketim',
  aux_production: 'yardımcı üretim',
  aux_consumption: 'yardımcı tüketim',
  check_meter: 'kontrol sayacı',
}
const GROUP_STATUSES = {
  customer_defined: 'müşteri tanımladı',
  ek1_submitted: 'EK-1 verildi',
  grid_operator_confirmed: 'şebeke işletmecisi onayladı',
  lum_reported: "LÜM'de",
}
const MEMBER_ROLES = { production: 'üretim', consumption: 'tüketim', mixed: 'karma' }
const LIMIT_SOURCES = {
  previous_year_consumption: 'önceki yıl tüketimi',
  customer_declaration: 'müşteri beyanı',
  official_document: 'resmi belge',
  lum_report: 'LÜM raporu',
  gts_report: 'GTŞ raporu',
  manual: 'elle',
}

const facilities: readonly Column[] = [
  required('name', 'Tesis', 'text', 'Güneş 1'),
  required('region', 'Bölge', 'text', 'Ege'),
  optional('subregion', 'Alt bölge', 'text', 'Güneş 1'),
  optional('city', 'Şehir', 'text', 'İzmir'),
  optional('scope', 'Taraf', 'text', 'Ege Sanayi A.Ş.'),
  required('valid_from', 'Başlangıç', 'day', '01.01.2026'),
  optional('valid_to', 'Bitiş', 'day', ''),
  optional('abone_grubu', 'Abone grubu', SUBSCRIBER_GROUPS, 'sanayi'),
  optional('voltage_level', 'Gerilim seviyesi', VOLTAGE_LEVELS, 'OG'),
  optional('source_type', 'Kaynak türü', SOURCE_TYPES, 'solar'),
  optional('tariff_supply_type', 'Tedarik türü', SUPPLY_TYPES, 'regulated'),
  optional('producer_tariff_group', 'Üretici tarife grubu', TARIFF_GROUPS, ''),
  optional('is_multi_time', 'Çok zamanlı', 'yes', 'no'),
  optional('installed_power_kw', 'Kurulu güç kW', 'number', '1000'),
  optional('contracted_power_kw', 'Sözleşme gücü kW', 'number', '1000'),
  optional('has_ess', 'Depolama var', 'yes', 'no'),
  optional('ess_capacity_kwh', 'Depolama kapasitesi kWh', 'number', ''),
  optional('ess_power_kw', 'Depolama gücü kW', 'number', ''),
  optional('grid_operator', 'Şebeke işletmecisi', 'text', ''),
  optional('distribution_company', 'Dağıtım şirketi', 'text', ''),
  optional('retail_or_zone_operator', 'Perakende veya bölge işletmecisi', 'text', ''),
  optional('meter_reading_org', 'Sayaç okuma kuruluşu', 'text', ''),
  optional('supplier', 'Tedarikçi', 'text', ''),
]

const meters: readonly Column[] = [
  required('facility', 'Tesis', 'text', 'Güneş 1'),
  required('meter_no', 'Sayaç no', 'text', 'S-1001'),
  required('measurement_role', 'Ölçüm rolü', MEASUREMENT_ROLES, 'main_production'),
  required('valid_from', 'Başlangıç', 'time', '01.01.2026'),
  optional('valid_to', 'Bitiş', 'time', ''),
  optional('device', 'Cihaz', 'text', 'S-1001'),
  optional('installation_no', 'Tesisat no', 'text', '4001001'),
  optional('multiplier', 'Çarpan', 'number', '1'),
]

const REGISTER_WORDS = {
  import_active_energy: 'çekiş endeksi',
  export_active_energy: 'veriş endeksi',
  production_active_energy: 'üretim endeksi',
  battery_charge_energy: 'batarya şarj endeksi',
  battery_discharge_energy: 'batarya deşarj endeksi',
  inductive_reactive_energy: 'endüktif endeks',
  capacitive_reactive_energy: 'kapasitif endeks',
}
const meterChanges: readonly Column[] = [
  required('facility', 'Tesis', 'text', 'Fabrika'),
  required('meter_no', 'Sayaç no', 'text', 'S-1002'),
  required('register', 'Endeks', REGISTER_WORDS, 'import_active_energy'),
  required('changed_at', 'Değişim zamanı', 'time', '15.07.2026 14:00'),
  required('old_end_kwh', 'Eski son endeks kWh', 'number', '48.213,500'),
  required('new_start_kwh', 'Yeni ilk endeks kWh', 'number', '0,000'),
  optional('old_serial_no', 'Eski seri no', 'text', ''),
  optional('new_serial_no', 'Yeni seri no', 'text', ''),
  optional('note', 'Not', 'text', ''),
]

export const KINDS: readonly Kind[] = [
  {
    name: 'organizations',
    tr: 'Kuruluşlar',
    columns: [
      required('org_type', 'Kuruluş türü', ORGANIZATION_TYPES, 'supplier'),
      required('name', 'Kuruluş', 'text', 'Ege Tedarik'),
    ],
  },
  {
    name: 'scopes',
    tr: 'Taraflar',
    columns: [
      required('name', 'Taraf', 'text', 'Ege Sanayi A.Ş.'),
      optional('external_party_ref', 'Dış referans', 'text', ''),
      optional('declaration_source', 'Beyan kaynağı', DECLARATION_SOURCES, 'official_document'),
      optional('declared_on', 'Beyan tarihi', 'day', '01.01.2026'),
      optional('notes', 'Notlar', 'text', ''),
    ],
  },
  { name: 'facilities', tr: 'Tesisler', columns: facilities },
  { name: 'meters', tr: 'Sayaçlar', columns: meters },
  { name: 'meter_changes', tr: 'Sayaç değişimleri', columns: meterChanges },
  {
    name: 'groups',
    tr: 'Gruplar',
    columns: [
      required('name', 'Grup', 'text', 'Ege grubu'),
      optional('scope', 'Taraf', 'text', 'Ege Sanayi A.Ş.'),
      optional('responsible_supplier', 'Sorumlu tedarikçi', 'text', ''),
      optional('group_status', 'Grup durumu', GROUP_STATUSES, 'lum_reported'),
      optional('notes', 'Notlar', 'text', ''),
    ],
  },
  {
    name: 'members',
    tr: 'Üyelikler',
    columns: [
      required('group', 'Grup', 'text', 'Ege grubu'),
      required('facility', 'Tesis', 'text', 'Güneş 1'),
      required('member_role', 'Üyelik rolü', MEMBER_ROLES, 'production'),
      required('valid_from', 'Başlangıç', 'day', '01.05.2026'),
      optional('valid_to', 'Bitiş', 'day', ''),
    ],
  },
  {
    name: 'limit_accounts',
    tr: 'Limit hesapları',
    columns: [
      required('facility', 'Tesis', 'text', 'Fabrika'),
      required('year', 'Yıl', 'year', '2026'),
      required('initial_limit_kwh', 'Başlangıç limiti kWh', 'number', '2.400.000,000'),
      required('limit_source', 'Limit kaynağı', LIMIT_SOURCES, 'previous_year_consumption'),
    ],
  },
]
