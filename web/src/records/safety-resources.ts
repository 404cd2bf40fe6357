/** A lockout session while it waits for its approval. */
import { KIND_TEXTS } from './kind-texts.ts'
import type { Resource } from './resource.ts'

export const LOTO_SESSIONS: Resource = {
  name: 'loto-sessions',
  permission: 'manage:loto',
  title: KIND_TEXTS.KIND_LOTO_SESSION,
  empty: KIND_TEXTS.KIND_EMPTY,
  list: '/api/loto/sessions',
  paging: 'skip',
  item: { path: '/api/loto/sessions/{id}', parameter: 'id', isReadable: true },
  update: 'PUT',
  label: 'title',
  columns: ['title'],
  references: { point_ids: { list: '/api/loto/points', hasSearch: true } },
}
