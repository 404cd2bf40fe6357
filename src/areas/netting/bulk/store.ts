import type { Warning } from '../../../kernel/warnings.ts'

declare module '../../../platform/db/json-columns.ts' {
  interface JsonColumns {
    'bulk_calculation_group.warnings': readonly Warning[]
  }
}
