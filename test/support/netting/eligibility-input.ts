import type {
  EligibilityInput,
  EligibilityMember,
  EligibilityPrice,
  Verdict,
} from '../../../src/core/netting/eligibility/types.ts'
import type { AboneGrubu, MemberRole } from '../../../src/core/netting/types.ts'
import { parseKwh } from '../../../src/kernel/decimal.ts'
import { textOf } from '../../../src/kernel/messages.ts'

/** A member of the scope S with the supplier X; an id in capitals gives it a name. */
export const makeCandidate = (
  facilityId: string,
  role: MemberRole,
  own: Partial<EligibilityMember> = {},
): EligibilityMember => ({
  facilityId,
  facilityName: facilityId.toUpperCase(),
  role,
  scopeId: 'S',
  supplierId: 'X',
  aboneGrubu: 'sanayi',
  supplyType: 'regulated',
  installedKwhPerHour: parseKwh('10'),
  contractedKwhPerHour: parseKwh('10'),
  ...own,
})

export const makePrice = (aboneGrubu: AboneGrubu, own: Partial<EligibilityPrice> = {}): EligibilityPrice => ({
  setStatus: 'approved',
  billingPeriod: '2026-11-01',
  validFrom: '2026-11-01',
  validTo: null,
  aboneGrubu,
  purpose: 'mahsuplasma_related_tariff',
  ...own,
})

/** A producer p and a consumer c with everything in order on 20 November 2026. */
export const makeGroupInput = (own: Partial<EligibilityInput> = {}): EligibilityInput => ({
  today: '2026-11-20',
  isPeriodOver: false,
  groupStatus: 'grid_operator_confirmed',
  scope: { id: 'S', name: 'Acme', isDeclared: true },
  responsibleSupplierId: 'X',
  members: [makeCandidate('p', 'production'), makeCandidate('c', 'consumption')],
  facilityIdsWithAccount: ['c'],
  transfers: [],
  facilityIdsWithMainMeter: ['p', 'c'],
  prices: [makePrice('sanayi')],
  highestProduction: [
    { facilityId: 'p', hour: Date.parse('2026-11-10T09:00:00Z'), productionKwh: parseKwh('10') },
  ],
  ...own,
})

/** A verdict with its English text in place of the message. */
export const inEnglish = ({ message, ...verdict }: Verdict) => ({ ...verdict, message: textOf(message) })
