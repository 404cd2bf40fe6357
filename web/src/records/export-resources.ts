/** Files of measurements that are created in the background. */
import { messages } from '../../../src/kernel/messages.ts'
import { KIND_TEXTS } from './kind-texts.ts'
import { DEVICE } from './plant-resources.ts'
import type { Resource } from './resource.ts'

const EXPORT_TEXTS = messages({
  EXPORT_FILES: { en: 'Measurement files', tr: 'Ölçüm dosyaları' },
  EXPORT_NEW: { en: 'New measurement file', tr: 'Yeni ölçüm dosyası' },
  EXPORT_NEW_NOTE: {
    en: 'The file is created in the background; this page may be left meanwhile.',
    tr: 'Dosya arka planda oluşturulur; bu sırada sayfadan çıkabilirsiniz.',
  },
})

export const EXPORTS: Resource = {
  name: 'exports',
  report: 'measurement_exports',
  permission: 'write:measurement',
  title: EXPORT_TEXTS.EXPORT_FILES,
  empty: KIND_TEXTS.KIND_EMPTY,
  createTitle: EXPORT_TEXTS.EXPORT_NEW,
  createNote: EXPORT_TEXTS.EXPORT_NEW_NOTE,
  list: '/api/measurements/exports',
  create: '/api/measurements/export',
  paging: 'skip',
  hasSearch: true,
  item: { path: '/api/measurements/exports/{id}', parameter: 'id' },
  isDeletable: true,
  key: 'export_id',
  label: 'file_name',
  columns: [
    'file_name',
    'status',
    'progress_pct',
    'rows_done',
    'size_bytes',
    'created_at',
    'expires_at',
    'error',
  ],
  references: { device_ids: DEVICE },
  isWaiting: ({ status }) => status === 'queued' || status === 'running',
  fixed: { async: true },
  // The file has the columns that occur, and the conventions of the language.
  hidden: ['metrics', 'locale', 'delimiter', 'headers'],
  initial: { interval: 'raw', format: 'csv' },
}
