/** The sets of regulated tariffs and their prices. */
import { KIND_TEXTS } from './kind-texts.ts'
import type { Resource } from './resource.ts'

const common = { permission: 'superuser', empty: KIND_TEXTS.KIND_EMPTY, paging: 'offset' } as const

export const PRICE_SETS: Resource = {
  ...common,
  name: 'price-sets',
  title: KIND_TEXTS.KIND_SETS,
  list: '/api/v1/admin/regulated-tariffs/price-sets',
  item: { path: '/api/v1/admin/regulated-tariffs/price-sets/{id}', parameter: 'id', isReadable: true },
  update: 'PATCH',
  columns: ['name'],
  hidden: ['approval_status'],
  isOwn: ({ approval_status }) => approval_status === 'draft',
  actions: [
    {
      name: 'archive',
      title: KIND_TEXTS.KIND_ARCHIVE,
      note: KIND_TEXTS.KIND_ARCHIVE_NOTE,
      method: 'PATCH',
      path: '/api/v1/admin/regulated-tariffs/price-sets/{id}',
      permission: 'superuser',
      fixed: () => ({
        approval_status: 'archived',
        billing_period: undefined,
        name: undefined,
        source_note: undefined,
      }),
      isOffered: ({ approval_status }) => approval_status === 'approved',
    },
  ],
}

export const PRICES: Resource = {
  ...common,
  name: 'prices',
  title: KIND_TEXTS.KIND_PRICES,
  createTitle: KIND_TEXTS.KIND_NEW_PRICE,
  list: '/api/v1/admin/regulated-tariffs/price-sets/{id}/prices',
  columns: ['price_purpose'],
}
