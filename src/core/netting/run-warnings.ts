import { facilityIn, groupIn, type Pricing } from './amounts/pricing.ts'
import type { NettedSlice } from './match.ts'
import { WARNING_TEXTS } from './messages.ts'
import { warningsOfMonth } from './month-warnings.ts'
import type { Scenario } from './types.ts'
import { openWarnings, type WarningList } from './warning-list.ts'

/** Collects the warnings of the netting itself from its slices; the amounts add their own. */
export class RunWarnings {
  readonly #scenario: Scenario
  readonly #pricing: Pricing
  readonly #storage = openWarnings()
  /** The names of consumers without an account in slices whose surplus is beyond the limit. */
  readonly #withoutAccount = new Set<string>()

  constructor(scenario: Scenario, pricing: Pricing) {
    this.#scenario = scenario
    this.#pricing = pricing
  }

  add({ slice, skbKwh }: NettedSlice): void {
    if (this.#scenario === 'standard_hourly') {
      for (const { member, isDischargeUnknown, storageExportKwh } of slice.producers) {
        if (!isDischargeUnknown) continue
        const isFree = storageExportKwh > 0n
        const text = isFree ? WARNING_TEXTS.STORAGE_EXPORT_FREE : WARNING_TEXTS.STORAGE_EXPORT_AS_PRODUCTION
        this.#storage.add('STORAGE_DISCHARGE_UNKNOWN', member.facilityId, () =>
          text(facilityIn(this.#pricing, member)),
        )
      }
    }
    if (skbKwh === 0n) return
    for (const { accountId, member } of slice.consumers)
      if (accountId === null) this.#withoutAccount.add(member.facilityName ?? member.facilityId)
  }

  addTo(warnings: WarningList): void {
    const pricing = this.#pricing
    for (const { code, subject, message } of [
      ...warningsOfMonth({ ...pricing, scenario: this.#scenario }),
      ...this.#storage.list(),
    ])
      warnings.add(code, subject, () => message)
    if (this.#withoutAccount.size === 0) return
    const facilities = [...this.#withoutAccount]
    warnings.add('LIMIT_ACCOUNT_MISSING_CONSERVATIVE_SKB', pricing.groupId, () =>
      WARNING_TEXTS.LIMIT_ACCOUNT_MISSING_CONSERVATIVE_SKB({ ...groupIn(pricing), facilities }),
    )
  }
}
