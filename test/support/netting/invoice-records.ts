import { type ForeignFixture, unique } from '../foreign-fixture.ts'

/** The form of a small file of figures. */
export function invoiceForm(): FormData {
  const form = new FormData()
  form.append('file', new Blob(['date,matched_kwh\n2026-11-01,1\n']), 'figures.csv')
  return form
}

/** A field mapping of a new supplier. */
export const mapping = () => ({ supplier: unique('supplier'), layout: 'layout', columns: [], lines: [] })

/** A stored check of a group without results, which repeats another one. */
export async function invoiceCheck({ api, tenant }: ForeignFixture, groupId: string): Promise<string> {
  const path = `/api/mahsuplasma/groups/${groupId}/invoice-checks?billing_period=2026-11`
  const { status, body } = await api.call('POST', path, { token: tenant.admin.token, body: invoiceForm() })
  if (status !== 201) throw new Error(`the check is answered with ${status}`)
  const repeated = await api.call('POST', `/api/mahsuplasma/invoice-checks/${body.id}/repeat`, {
    token: tenant.admin.token,
  })
  if (repeated.status !== 201) throw new Error(`the repetition is answered with ${repeated.status}`)
  return repeated.body.id
}
