import type { Message } from '../../../kernel/messages.ts'
import type { Label } from '../shared/index.ts'
import type { StoredLine } from './invoice-response.ts'
import type { SaveMapping } from './mapping-schema.ts'
import type { Reconciliation } from './schema.ts'

/** How a file is read and compared. Decimals as text. */
export interface CheckSettings {
  readonly label: Label | null
  readonly toleranceKwh: string
  readonly toleranceTry: string
  /** Stated by the request; null: that of the invoice. */
  readonly supplier: string | null
}

export type MatchedBy = 'layout' | 'supplier'

/** The stored corrections for a file, ready for its reader. */
export interface AppliedMapping {
  readonly id: string
  readonly supplier: string
  /** supplier: the layout has no mapping of its own, so the latest one of the supplier is used. */
  readonly matchedBy: MatchedBy
  readonly corrections: Pick<SaveMapping, 'columns' | 'lines'> & { readonly label: Label | null }
}

/** A report as it is stored: its texts are composed in the language of its reader. */
export type StoredReport = Omit<Reconciliation, 'lines' | 'bad_rows' | 'hints'> & {
  readonly lines: readonly StoredLine[]
  readonly bad_rows: readonly {
    readonly row: number
    readonly column: string | null
    readonly content: Message
  }[]
  readonly hints: readonly {
    readonly code: Reconciliation['hints'][number]['code']
    readonly parameters: Reconciliation['hints'][number]['parameters']
    readonly content: Message
  }[]
}

/** What a check stores as one document. */
export interface StoredCheck {
  readonly settings: CheckSettings
  readonly mapping: AppliedMapping | null
  readonly report: StoredReport
}
