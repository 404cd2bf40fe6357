/** A grid_inverter feeds PV into the grid; an ess_inverter also charges and discharges storage. */
export const INVERTER_TYPES = ['grid_inverter', 'ess_inverter'] as const
export type InverterType = (typeof INVERTER_TYPES)[number]

interface Rule {
  readonly vendor: RegExp
  readonly model: RegExp
  /**
   * The type of the family; null when it is sold both with and without storage, so that its name does not
   * determine the type.
   */
  readonly type: InverterType | null
  readonly source: string
}

const SUNGROW_SH = 'Sungrow, SH5.0-10RT user manual (UEN-Ver19): three-phase hybrid inverter'
const GROWATT = 'Growatt model table in the documentation of 0xAHA/Growatt_ModbusTCP (docs/MODELS.md)'
const SOLAX = 'SolaX and others: compatible inverters of wills106/homeassistant-solax-modbus'

/**
 * The rules. All of them are evaluated: a device that matches rules of different types gets no suggestion.
 */
export const INVERTER_RULES: readonly Rule[] = [
  { vendor: /sungrow/i, model: /^SH\d/i, type: 'ess_inverter', source: SUNGROW_SH },
  {
    vendor: /sungrow/i,
    model: /^SG\d+(\.\d+)?(CX|HX|KTL|RT|RS|KU|TL)/i,
    type: 'grid_inverter',
    source: 'Sungrow, product list: SG is the PV string inverter series',
  },
  {
    vendor: /goodwe/i,
    model: /^GW\d+(\.\d+)?K?-?(ET|EH|BH|BT|ES|EM|ESA|BP)\b/i,
    type: 'ess_inverter',
    source: 'evcc device documentation: GoodWe ET/EH/BH/BT/ESA and ES/EM hybrid inverters',
  },
  {
    vendor: /goodwe/i,
    model: /^GW\d+(\.\d+)?K?-?(SDT|DNS|MT|SMT|HT|XS|NS)\b/i,
    type: 'grid_inverter',
    source: 'GoodWe, product list: SDT, DNS, MT, SMT, HT, XS and NS are grid-tied series',
  },
  { vendor: /growatt/i, model: /^(SPH|SPA)\b|TL-?XH/i, type: 'ess_inverter', source: GROWATT },
  { vendor: /growatt/i, model: /^MI[NC]\b.*TL-?X\b/i, type: 'grid_inverter', source: GROWATT },
  {
    vendor: /growatt/i,
    model: /^(MAX|MID|MAC)\b.*TL3/i,
    type: 'grid_inverter',
    source: 'Growatt, product list: MAX, MID and MAC TL3 are commercial grid-tied series',
  },
  { vendor: /solis|ginlong/i, model: /^(Solis-)?RHI-/i, type: 'ess_inverter', source: SOLAX },
  { vendor: /sofar/i, model: /^HYD/i, type: 'ess_inverter', source: SOLAX },
  { vendor: /sofar/i, model: /KTLX-G3/i, type: 'grid_inverter', source: SOLAX },
  { vendor: /solax/i, model: /^X[13]-?(Hybrid|AC|Fit)/i, type: 'ess_inverter', source: SOLAX },
  {
    vendor: /deye|sunsynk/i,
    model: /-SG0\d(HP|LP)\d/i,
    type: 'ess_inverter',
    source: 'evcc template deye-hybrid: SUN-…K-SG04LP3 series hybrid inverter',
  },
  {
    vendor: /\bsma\b/i,
    model: /^STP\s?\d+(\.\d+)?-3SE|Smart Energy|^(SBS|SI)\s?\d|Sunny (Boy Storage|Island)/i,
    type: 'ess_inverter',
    source:
      'evcc device documentation: SMA Smart Energy hybrid; SMA product list: Sunny Boy Storage, Sunny Island',
  },
  {
    vendor: /\bsma\b/i,
    model: /CORE[12]|Highpower|^STP\s?\d+-(50|60|62)/i,
    type: 'grid_inverter',
    source: 'SMA, product list: Sunny Tripower CORE1, CORE2 and Sunny Highpower are PV inverters',
  },
  {
    vendor: /huawei/i,
    model: /^SUN2000-\d{1,2}(\.\d+)?K(TL)?-(L1|LC0|LB0|M1|MB0|MAP0)\b/i,
    type: null,
    source: 'evcc device documentation: Huawei SUN2000 hybrid inverter, with or without a LUNA2000 battery',
  },
  {
    vendor: /huawei/i,
    model: /^SUN2000-(100|115|150|175|185|196|215|330)KTL-/i,
    type: 'grid_inverter',
    source: 'Huawei, product list: SUN2000 from 100 kW on are utility and commercial PV inverters',
  },
  {
    vendor: /fronius/i,
    model: /GEN24/i,
    type: null,
    source: 'Fronius, GEN24 data sheet: storage is an option that is activated later',
  },
  {
    vendor: /fronius/i,
    model: /Symo Hybrid/i,
    type: 'ess_inverter',
    source: 'Fronius, Symo Hybrid data sheet',
  },
  {
    vendor: /fronius/i,
    model: /^(Eco|Tauro)\b/i,
    type: 'grid_inverter',
    source: 'Fronius, product list: Eco and Tauro are PV inverters',
  },
  {
    vendor: /victron/i,
    model: /MultiPlus|Quattro/i,
    type: 'ess_inverter',
    source: 'Victron Energy, ESS design and installation manual',
  },
]

export interface Nameplate {
  readonly vendor: string
  readonly model: string
}

export interface Suggestion {
  readonly inverterType: InverterType
  readonly source: string
}

/** The type that every rule for this vendor and model agrees on; none where they disagree or none applies. */
export function suggestInverterType({ vendor, model }: Nameplate): Suggestion | undefined {
  const rules = INVERTER_RULES.filter((rule) => rule.vendor.test(vendor) && rule.model.test(model.trim()))
  const [first] = rules
  if (!first?.type || rules.some((rule) => rule.type !== first.type)) return undefined
  return { inverterType: first.type, source: first.source }
}
