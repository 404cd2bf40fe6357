import { REACTIVE_WARNING_SHARE } from './limits.ts'

/**
 * The limits of the reactive tariff. Source: "Dağıtım Lisansı Sahibi Tüzel Kişiler ve Görevli Tedarik
 * Şirketlerinin Tarife Uygulamalarına İlişkin Usul ve Esaslar", article 13 (EPDK Board decision 5999-3 of
 * 30 December 2015, Official Gazette 29579 of 31 December 2015), as distribution companies quote it
 * (vedas.com.tr, read 2026-11-20): below 50 kVA of installed power inductive energy beyond 33 % and
 * capacitive beyond 20 % of the active energy drawn; from 50 kVA on 20 % and 15 %. Not for connections up
 * to and including 9 kW, dwellings, lighting and single-phase supply. What goes beyond a limit makes the
 * whole of that reactive energy payable, and one breach a year by a fault of the compensation is forgiven.
 *
 * Inferred, because the text does not say it or it could not be verified:
 * - The contracted power in kW is taken for the installed power in kVA, which no record holds.
 * - The bounds are those of the text quoted. A consolidated text with its amendments marked
 *   (hasanyucelmuhendislik.com, read 2026-11-20) says the same, and no later amendment was found; a
 *   supplier's page (enerjisa.com.tr) names 15 kW instead of 9 for the exemption, without a source.
 * - Month: the tariff is billed on the totals of the billing period, so the ratio of a month counts and
 *   that of an hour or a day only shows where it comes from.
 * - Without active energy there is no ratio; this module does not say what is then billed.
 */
export const REACTIVE_RULE_SOURCE =
  'EPDK Board decision 5999-3 of 2015-12-30 (Official Gazette 29579), Usul ve Esaslar, article 13'

const EXEMPT_UP_TO_KW = 9
const LARGE_FROM_KVA = 50

export const REACTIVE_CLASSES = ['exempt', 'below_50_kva', 'from_50_kva', 'unknown'] as const
export interface ReactiveLimits {
  readonly power_class: (typeof REACTIVE_CLASSES)[number]
  /** Per cent of the active energy; null where no limit holds, or none is known. */
  readonly inductive_limit_pct: number | null
  readonly capacitive_limit_pct: number | null
}

/** The limits for a contracted power; `unknown` without one. */
export function limitsOf(contractedPowerKw: number | null): ReactiveLimits {
  if (contractedPowerKw === null) return limits('unknown', null, null)
  if (contractedPowerKw <= EXEMPT_UP_TO_KW) return limits('exempt', null, null)
  return contractedPowerKw < LARGE_FROM_KVA ? limits('below_50_kva', 33, 20) : limits('from_50_kva', 20, 15)
}

const limits = (
  power_class: ReactiveLimits['power_class'],
  inductive: number | null,
  capacitive: number | null,
): ReactiveLimits => ({ power_class, inductive_limit_pct: inductive, capacitive_limit_pct: capacitive })

export const REACTIVE_STATUSES = ['ok', 'warning', 'exceeded', 'unknown'] as const
type Status = (typeof REACTIVE_STATUSES)[number]

/** Wh and varh of meters over a period; null when unknown. */
export interface ReactiveEnergy {
  readonly active: number | null
  readonly inductive: number | null
  readonly capacitive: number | null
}

/** The ratios in per cent and their status. A ratio equal to its limit does not exceed it. */
export function evaluateRatios({ active, inductive, capacitive }: ReactiveEnergy, known: ReactiveLimits) {
  const ratios = [ratioOf(inductive, active), ratioOf(capacitive, active)] as const
  const [first, second] = [
    statusOf(ratios[0], known.inductive_limit_pct, known),
    statusOf(ratios[1], known.capacitive_limit_pct, known),
  ]
  return {
    inductive_ratio_pct: roundRatio(ratios[0]),
    capacitive_ratio_pct: roundRatio(ratios[1]),
    inductive_status: first,
    capacitive_status: second,
    status: worse(first, second),
  }
}

const ratioOf = (reactive: number | null, active: number | null): number | null =>
  reactive === null || active === null || active <= 0 ? null : (reactive / active) * 100

/** Rounds a ratio to three decimals for the response; the status uses the exact ratio. */
const roundRatio = (ratio: number | null): number | null =>
  ratio === null ? null : Math.round(ratio * 1000) / 1000

function statusOf(ratio: number | null, limit: number | null, { power_class }: ReactiveLimits): Status {
  if (power_class === 'exempt') return 'ok'
  if (ratio === null || limit === null) return 'unknown'
  if (ratio > limit) return 'exceeded'
  return ratio >= limit * REACTIVE_WARNING_SHARE ? 'warning' : 'ok'
}

/** The worse status; a known breach counts even when the other status is unknown. */
const worse = (a: Status, b: Status): Status =>
  (['exceeded', 'warning', 'unknown'] as const).find((status) => a === status || b === status) ?? 'ok'
