import { whole } from '../../../platform/settings/readers.ts'
import { settingsGroup } from '../../../platform/settings/settings-group.ts'
import type { Quotas } from './quotas.ts'

declare module '../../../platform/settings/config.ts' {
  interface Config {
    /** The quotas of a tenant for which nothing is set. */
    readonly quotas: Quotas
  }
}

const MEGABYTE = 1024 * 1024
const limit = whole(0, 999_999_999)

export const quotaSettings = settingsGroup(
  {
    QUOTA_DEVICES: limit,
    QUOTA_SAMPLES_PER_DAY: limit,
    QUOTA_STORAGE_MB: limit,
    QUOTA_EXPORTS_PER_DAY: limit,
  },
  {
    toConfig: (values): { readonly quotas: Quotas } => ({
      quotas: Object.freeze({
        devices: values.QUOTA_DEVICES ?? null,
        samples_per_day: values.QUOTA_SAMPLES_PER_DAY ?? null,
        storage_bytes: values.QUOTA_STORAGE_MB === undefined ? null : values.QUOTA_STORAGE_MB * MEGABYTE,
        exports_per_day: values.QUOTA_EXPORTS_PER_DAY ?? null,
      }),
    }),
  },
)
